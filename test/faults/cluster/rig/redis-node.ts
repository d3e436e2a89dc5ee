// Runs one Redis server of a cluster, which may be killed, frozen and restarted. It stores nothing on disk, so it comes
// back empty.
import { createClient } from 'redis'
import { findFreePort } from '../../../programs/free-port.ts'
import type { ServerProcess } from '../../../programs/server-process.ts'
import { startDaemon } from './daemon.ts'
import { sendToAll } from './signals.ts'

export interface RedisNode {
  readonly port: number
  readonly server: ServerProcess
  /** Runs one command on a connection of its own. */
  command(...words: string[]): Promise<unknown>
  freeze(): void
  thaw(): void
}

const connectMaxMs = 1_000

export async function startRedisNode(
  lines: readonly string[] = [],
  flags: readonly string[] = [],
): Promise<RedisNode> {
  const port = await findFreePort()
  const server = await startDaemon({
    name: 'redis-server',
    packageName: 'redis-server',
    port,
    config: (directory) => [`port ${port}`, 'bind 127.0.0.1', `dir ${directory}`, ...lines, ''].join('\n'),
    args: (configFile) => [configFile, ...flags],
  })
  const signal = (name: NodeJS.Signals) => sendToAll(server.pid === undefined ? [] : [server.pid], name)
  return {
    port,
    server,
    command: (...words) => command(port, words),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  }
}

/** For the configuration of servers that hold data: nothing is written to disk. */
export const inMemory = ['save ""', 'appendonly no']

async function command(port: number, words: readonly string[]): Promise<unknown> {
  const url = `redis://127.0.0.1:${port}`
  const client = createClient({ url, socket: { connectTimeout: connectMaxMs, reconnectStrategy: false } })
  client.on('error', () => {})
  try {
    await client.connect()
    return await client.sendCommand([...words])
  } finally {
    if (client.isOpen) client.destroy()
  }
}
