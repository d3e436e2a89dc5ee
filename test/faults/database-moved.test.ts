// Guarantees about a database that fails over, has a pooler in front or a full disk: reads go on, writes come back, and
// nothing has to be restarted.
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { startTestServer } from '../api/running-server.ts'
import { setPrice } from '../catalogue/catalogue-writes.ts'
import { createEngine, describeWithPostgres, describeWithRedis } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'
import { patience } from '../patience.ts'
import { RowSkipped } from './cluster/fault.ts'
import { startPgbouncer } from './cluster/rig/pgbouncer.ts'
import { startPair } from './cluster/rig/postgres-pair.ts'
import { startPostgresSide } from './cluster/rig/postgres-side.ts'
import { makeDirectory } from './cluster/rig/temporary-directory.ts'

const clock = manualClock()

describeWithPostgres('a database', () => {
  describeWithRedis('beside Redis', (redisUrl) => {
    /** Starts a server on the database, and opens the database as another process would. */
    async function serve(database: Record<string, string>) {
      const directory = await makeDirectory('moved')
      onTestFinished(directory.remove)
      const settings = { ...database, DATA_DIR: directory.path, REDIS_URL: redisUrl }
      const server = await startTestServer(createEngine(), settings)
      await vi.waitFor(() => expect(server.logText()).toContain('counted in Redis'), patience)
      const other = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
      const write = (retail_price_usd: number) =>
        setPrice(other, clock, 1, { retail_price_usd, current_market_price: null })
      const served = async () => {
        const answer = await server.get('/api/v1/watches/1')
        const { data } = (await answer.json()) as { data?: { retail_price_usd: number | null } }
        return [answer.status, data?.retail_price_usd]
      }
      const servesSoon = (price: number) =>
        vi.waitFor(async () => expect(await served()).toEqual([200, price]), patience)
      return { other, write, served, servesSoon }
    }

    test('that fails over is followed, and changes that it lost are no longer served', async () => {
      const pair = await startPair({})
      onTestFinished(() => pair.stop())
      const { write, servesSoon } = await serve({ DATABASE_URL: pair.url })
      await write(1)
      await servesSoon(1)
      await pair.catchUp()
      await pair.stopReplication()
      await write(2)
      await servesSoon(2)
      await pair.failOver()
      await servesSoon(1)
      await vi.waitFor(() => write(3), patience)
      await servesSoon(3)
    })

    test('behind a pooler of transactions is followed and locked through a connection of its own', async () => {
      const side = await startPostgresSide('single')
      onTestFinished(() => side.stop())
      const bouncer = await startPgbouncer(side.primary())
      onTestFinished(() => bouncer.server.stop())
      const { other, write, servesSoon } = await serve({
        DATABASE_URL: bouncer.url,
        DATABASE_LISTEN_URL: side.url,
      })
      for (const price of [1, 2]) {
        expect(await other.withExclusiveLock('test', () => write(price))).toBe(true)
        await servesSoon(price)
      }
    })

    test('whose disk is full is read on, and written to again when there is room', async ({ skip }) => {
      const side = await startPostgresSide('small disk').catch((error) => {
        if (error instanceof RowSkipped) skip(error.message)
        throw error
      })
      onTestFinished(() => side.stop())
      if (side.kind !== 'small disk') throw new Error('there is no small disk')
      const { write, served, servesSoon } = await serve({ DATABASE_URL: side.url })
      await write(1)
      await servesSoon(1)
      side.disk.fill()
      // Else the space that is reserved for the next writes would last for long.
      await side.node.query('select pg_switch_wal()').catch(() => {})
      await vi.waitFor(() => expect(write(Date.now())).rejects.toThrow(), patience)
      expect(await served()).toEqual([200, expect.any(Number)])
      side.disk.free()
      // Without space for its log PostgreSQL ends: then the operator starts it again.
      await side.node.query('select 1').catch(() => side.node.restart())
      await vi.waitFor(() => write(3), patience)
      await servesSoon(3)
    })
  })
})
