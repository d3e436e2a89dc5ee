// Tests PostgreSQL connections that break at any moment: the work in progress on the connection fails, and nothing
// else.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { getHead } from '../../src/changes/log.ts'
import { createEngine, describeWithPostgres } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'

describeWithPostgres('a connection that breaks', (url) => {
  const engine = createEngine(url)

  test('within a transaction fails only that transaction; the process keeps using the database', async () => {
    const { database, config } = await openFresh(engine)
    const other = await openUnmigrated(config)
    for (const isQuerying of [true, false]) {
      const broken = database.write(async (tx) => {
        await sql`update sequence set value = 7`.execute(tx)
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
        const underWay = isQuerying ? sql`select pg_sleep(60)`.execute(tx) : undefined
        // Handled here, because the query fails while the test still waits for the other connection.
        underWay?.catch(() => {})
        await sql`select pg_terminate_backend(${rows[0]?.pid}, 5000)`.execute(other.reader)
        await underWay
        await sql`select 1`.execute(tx)
      })
      await expect(broken).rejects.toThrow()
      expect((await getHead(database.reader)).sequence).toBe(0)
    }
  })

  test('while listening is replaced', async () => {
    const { database, config } = await openFresh(engine)
    const other = await openUnmigrated(config)
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>()
    let isBroken = false
    database.listen('test', () => isBroken && wake())
    await expect.poll(() => listeningPids(other.reader)).toHaveLength(1)
    const [pid] = await listeningPids(other.reader)
    await sql`select pg_terminate_backend(${pid}, 5000)`.execute(other.reader)
    isBroken = true
    await woken
    await expect.poll(() => listeningPids(other.reader)).toHaveLength(1)
  })
})

async function listeningPids(
  reader: Awaited<ReturnType<typeof openUnmigrated>>['reader'],
): Promise<number[]> {
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database() and query like 'LISTEN%'`.execute(
    reader,
  )
  return rows.map(({ pid }) => pid)
}
