// Tests that a client that disconnects while its key is looked up, before its export begins, does not keep an export
// slot.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Tx } from '../../src/storage/database.ts'
import { createEngine, describeWithPostgres } from '../databases/engines.ts'
import { startPlanServer } from './plan-server.ts'
import { openSocket } from './running-server.ts'

/** The number of exports that an account may run at once. */
const leavers = 2

describeWithPostgres('an export', (url) => {
  test('whose client disconnects before it begins frees its slot', async () => {
    const server = await startPlanServer(createEngine(url), { LOG_LEVEL: 'silent' }, 'few')
    const request = `GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${server.keys.platinum}\r\n\r\n`
    await server.database.write(async (tx) => {
      await sql`lock table api_keys in access exclusive mode`.execute(tx)
      const sockets = await Promise.all(Array.from({ length: leavers }, () => openSocket(server.port)))
      for (const socket of sockets) socket.write(request)
      await expect.poll(() => countWaiting(tx)).toBeGreaterThan(0)
      for (const socket of sockets) socket.resetAndDestroy()
      // These responses show that the server has seen the clients disconnect.
      for (let at = 0; at < 3; at++) await (await fetch(`${server.baseUrl}/healthz`)).text()
    })
    await (await server.ask('platinum', '/usage')).text()
    expect((await server.ask('platinum', '/export')).status).toBe(200)
  })
})

/** The number of key lookups that wait for the lock. */
async function countWaiting(tx: Tx): Promise<number> {
  const waiting = sql<{ count: number }>`select count(*)::int as count from pg_locks where not granted`
  return (await waiting.execute(tx)).rows[0]?.count ?? 0
}
