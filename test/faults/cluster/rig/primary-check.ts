// Answers, over HTTP, whether a PostgreSQL server is the primary, so that haproxy can find it (as Patroni does).
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PostgresNode } from './postgres-node.ts'

export interface PrimaryCheck {
  readonly port: number
  close(): Promise<void>
}

export async function openPrimaryCheck(node: PostgresNode): Promise<PrimaryCheck> {
  const server = createServer(async (_request, response) => {
    const isPrimary = await node.query('select pg_is_in_recovery() as replica').then(
      ([row]) => row?.replica === false,
      () => false,
    )
    response.writeHead(isPrimary ? 200 : 503).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
