// Runs haproxy in front of the watchdata processes, with haproxy's own intervals for health checks.
import { findFreePort } from '../../../programs/free-port.ts'
import { startDaemon } from './daemon.ts'

interface Proxy {
  readonly port: number
  stop(): Promise<void>
}

/** No intervals are set: haproxy checks every 2 s, and needs 3 failures or 2 successes. */
export async function startProxy(ports: readonly number[]): Promise<Proxy> {
  const port = await findFreePort()
  const lines = [
    'global',
    '  maxconn 4000',
    'defaults',
    '  mode http',
    '  timeout connect 5s',
    '  timeout client 50s',
    '  timeout server 50s',
    '  option redispatch 1',
    'listen watchdata',
    `  bind 127.0.0.1:${port}`,
    '  balance roundrobin',
    '  option httpchk GET /readyz',
    ...ports.map((one, at) => `  server w${at + 1} 127.0.0.1:${one} check`),
  ]
  const server = await startDaemon({
    name: 'haproxy',
    packageName: 'haproxy',
    port,
    config: () => `${lines.join('\n')}\n`,
    args: (configFile) => ['-db', '-f', configFile],
  })
  return { port, stop: () => server.stop() }
}
