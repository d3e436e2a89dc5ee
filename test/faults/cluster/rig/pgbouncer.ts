// Runs pgbouncer in transaction mode in front of a PostgreSQL server.
import { findFreePort } from '../../../programs/free-port.ts'
import type { ServerProcess } from '../../../programs/server-process.ts'
import { startDaemon } from './daemon.ts'
import type { PostgresNode } from './postgres-node.ts'

const poolSize = 40

export interface Bouncer {
  readonly url: string
  readonly server: ServerProcess
}

export async function startPgbouncer(node: PostgresNode): Promise<Bouncer> {
  const port = await findFreePort()
  const config = [
    '[databases]',
    `* = host=127.0.0.1 port=${node.port} user=postgres`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    `default_pool_size = ${poolSize}`,
    'max_client_conn = 500',
    'ignore_startup_parameters = extra_float_digits',
  ]
  const server = await startDaemon({
    name: 'pgbouncer',
    packageName: 'pgbouncer',
    port,
    config: () => `${config.join('\n')}\n`,
    args: (configFile) => [configFile],
    isPlain: true,
  })
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, server }
}
