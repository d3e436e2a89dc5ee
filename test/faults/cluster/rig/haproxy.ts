// Runs haproxy: in front of the watchdata processes, with haproxy's own intervals for health checks, and, where the
// service knows only one address of its database or of Redis, in front of those.
import { findFreePort } from '../../../programs/free-port.ts'
import type { ServerProcess } from '../../../programs/server-process.ts'
import { startDaemon } from './daemon.ts'

export interface Proxy {
  readonly port: number
  stop(): Promise<void>
}

/** No intervals are set: haproxy checks every 2 s, and needs 3 failures or 2 successes. */
export function startWebProxy(ports: readonly number[]): Promise<Proxy> {
  return startProxy((port) => [
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
  ])
}

/** `checkPort` answers 200 to GET / if the server is the primary, as Patroni does. */
export function startPostgresProxy(
  servers: readonly { readonly port: number; readonly checkPort: number }[],
): Promise<Proxy> {
  return startProxy((port) => [
    ...tcp('postgres', port),
    '  option httpchk GET /',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...servers.map((one, at) => `  server p${at + 1} 127.0.0.1:${one.port} check port ${one.checkPort}`),
  ])
}

export function startRedisProxy(ports: readonly number[]): Promise<Proxy> {
  return startProxy((port) => [
    ...tcp('redis', port),
    '  option tcp-check',
    '  tcp-check send info\\ replication\\r\\n',
    '  tcp-check expect string role:master',
    '  default-server inter 500ms fall 2 rise 1 on-marked-down shutdown-sessions',
    ...ports.map((one, at) => `  server r${at + 1} 127.0.0.1:${one} check`),
  ])
}

function tcp(name: string, port: number): string[] {
  return [
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    `listen ${name}`,
    `  bind 127.0.0.1:${port}`,
  ]
}

async function startProxy(lines: (port: number) => readonly string[]): Promise<Proxy> {
  const port = await findFreePort()
  const server: ServerProcess = await startDaemon({
    name: 'haproxy',
    packageName: 'haproxy',
    port,
    config: () => `global\n  maxconn 4000\n${lines(port).join('\n')}\n`,
    args: (configFile) => ['-db', '-f', configFile],
  })
  return { port, stop: () => server.stop() }
}
