// Guarantees about transactions, snapshots, locks and notifications on both engines.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import type { Database, Tx } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { patience } from '../patience.ts'

/** Any table would do: this one always exists and has one row. */
async function sequenceOf({ reader }: Pick<Database, 'reader'>): Promise<number> {
  return (await reader.selectFrom('sequence').select('value').executeTakeFirstOrThrow()).value
}

async function increment(tx: Tx): Promise<void> {
  const { value } = await tx.selectFrom('sequence').select('value').executeTakeFirstOrThrow()
  await tx
    .updateTable('sequence')
    .set({ value: value + 1 })
    .execute()
}

describeEachEngine('storage', (engine) => {
  test('a write is visible to every reader once it resolves', async () => {
    const { database, config } = await openFresh(engine)
    const other = await openUnmigrated(config)
    await database.write(increment)
    expect([await sequenceOf(database), await sequenceOf(other)]).toEqual([1, 1])
  })

  test('a write that fails changes nothing', async () => {
    const { database } = await openFresh(engine)
    const failing = database.write(async (tx) => {
      await increment(tx)
      throw new Error('halfway')
    })
    await expect(failing).rejects.toThrow('halfway')
    expect(await sequenceOf(database)).toBe(0)
    await database.write(increment)
    expect(await sequenceOf(database)).toBe(1)
  })

  test('read-then-write transactions under a lock are serialised over several connections', async () => {
    const { database, config } = await openFresh(engine)
    const databases = [database, await openUnmigrated(config), await openUnmigrated(config)]
    const writes = databases.flatMap((one) =>
      Array.from({ length: 20 }, () =>
        one.write(async (tx) => {
          await one.lock(tx, 'increment')
          await increment(tx)
        }),
      ),
    )
    await Promise.all(writes)
    expect(await sequenceOf(database)).toBe(60)
  })

  test('a reader never waits for a writer, and sees nothing of it before the commit', async () => {
    const { database } = await openFresh(engine)
    await database.write(async (tx) => {
      await increment(tx)
      expect(await sequenceOf(database)).toBe(0)
    })
    expect(await sequenceOf(database)).toBe(1)
  })

  test('a snapshot does not change while writers continue', async () => {
    const { database } = await openFresh(engine)
    await database.snapshot(async (reader) => {
      expect(await sequenceOf({ reader })).toBe(0)
      await database.write(increment)
      expect(await sequenceOf({ reader })).toBe(0)
    })
    expect(await sequenceOf(database)).toBe(1)
  })

  test('a snapshot cannot write', async () => {
    const { database } = await openFresh(engine)
    await expect(
      database.snapshot((view) => sql`update sequence set value = 9`.execute(view)),
    ).rejects.toThrow()
    expect(await sequenceOf(database)).toBe(0)
  })

  test('a row cannot refer to one that does not exist', async () => {
    const { database } = await openFresh(engine)
    const orphan = database.write((tx) =>
      tx
        .insertInto('prices')
        .values({
          watch_id: 7,
          date: '2026-01-01',
          retail_price_usd: 1,
          current_market_price: 1,
          source: 'x',
        })
        .execute(),
    )
    await expect(orphan).rejects.toThrow(/foreign key/i)
  })

  test('large integers come back as numbers', async () => {
    const { database } = await openFresh(engine)
    await database.write((tx) =>
      tx
        .updateTable('sequence')
        .set({ value: 2 ** 40 })
        .execute(),
    )
    expect(await sequenceOf(database)).toBe(2 ** 40)
    const { count } = await database.reader
      .selectFrom('sequence')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(1)
  })

  test('listeners are notified of an announced write', async () => {
    const { database } = await openFresh(engine)
    const wake = vi.fn()
    database.listen('test', wake)
    const isWoken = async () => {
      await database.write(increment, { announce: 'test' })
      expect(wake).toHaveBeenCalled()
    }
    await vi.waitFor(isWoken, patience)
  })

  test('listeners are not notified of a failed write, or of one that announced nothing', async () => {
    const { database } = await openFresh(engine)
    const wake = vi.fn()
    const other = vi.fn()
    database.listen('silent', wake)
    database.listen('loud', other)
    const failing = database.write(async () => Promise.reject(new Error('no')), { announce: 'silent' })
    await expect(failing).rejects.toThrow()
    await database.write(increment)
    // Notifications arrive in order: once this one arrives, no earlier one is still on its way.
    const isHeard = async () => {
      await database.write(increment, { announce: 'loud' })
      expect(other).toHaveBeenCalled()
    }
    await vi.waitFor(isHeard, patience)
    wake.mockClear()
    await expect(
      database.write(async () => Promise.reject(new Error('no')), { announce: 'silent' }),
    ).rejects.toThrow()
    other.mockClear()
    await vi.waitFor(isHeard, patience)
    expect(wake).not.toHaveBeenCalled()
  })

  test('a removed listener is not notified', async () => {
    const { database } = await openFresh(engine)
    const [stopped, listening] = [vi.fn(), vi.fn()]
    const stop = database.listen('test', stopped)
    database.listen('test', listening)
    stop()
    const isWoken = async () => {
      await database.write(increment, { announce: 'test' })
      expect(listening).toHaveBeenCalled()
    }
    await vi.waitFor(isWoken, patience)
    expect(stopped).not.toHaveBeenCalled()
  })

  test('a loop of writes does not block the event loop', async () => {
    const { database } = await openFresh(engine)
    let hasRun = false
    setImmediate(() => {
      hasRun = true
    })
    for (let round = 0; round < 3; round++) await database.write(increment)
    expect(hasRun).toBe(true)
  })
})
