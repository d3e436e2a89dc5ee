// Guarantees about small writes on both engines: all or nothing, serialised, and not blocking readers.
import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Database } from '../../src/storage/database.ts'
import { createEngine, describeEachEngine, describeWithPostgres } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'

const add = ({ reader }: Database, value: number) =>
  reader
    .updateTable('sequence')
    .set({ value: sql<number>`value + ${value}` })
    .returning('value')

async function readValue({ reader }: Database): Promise<number> {
  return (await reader.selectFrom('sequence').select('value').executeTakeFirstOrThrow()).value
}

describeEachEngine('a small write', (engine) => {
  test('is visible to every reader once it resolves, and returns the rows of each statement', async () => {
    const { database, config } = await openFresh(engine)
    const other = await openUnmigrated(config)
    const read = database.reader.selectFrom('sequence').select('value').forUpdate()
    const rows = await database.writeQuickly([read, add(database, 2), add(database, 3)])
    expect(rows).toEqual([[{ value: 0 }], [{ value: 2 }], [{ value: 5 }]])
    expect([await readValue(database), await readValue(other)]).toEqual([5, 5])
  })

  test('that fails changes nothing, and the next one succeeds', async () => {
    const { database } = await openFresh(engine)
    const bad = database.reader.insertInto('sequence').values({ value: 1 })
    await expect(database.writeQuickly([add(database, 1), bad])).rejects.toThrow(/unique|duplicate|check/i)
    expect(await readValue(database)).toBe(0)
    await database.writeQuickly([add(database, 1)])
    expect(await readValue(database)).toBe(1)
  })

  test('is never lost among many by several processes', async () => {
    const { database, config } = await openFresh(engine)
    const databases = [database, await openUnmigrated(config), await openUnmigrated(config)]
    await Promise.all(
      databases.flatMap((one) => Array.from({ length: 30 }, () => one.writeQuickly([add(one, 1)]))),
    )
    expect(await readValue(database)).toBe(90)
  })

  test('waits for a larger one, and does not block readers meanwhile', async () => {
    const { database, config } = await openFresh(engine)
    const other = await openUnmigrated(config)
    const { promise: isHeld, resolve: held } = Promise.withResolvers<void>()
    const { promise: isOver, resolve: releaseHeld } = Promise.withResolvers<void>()
    const large = other.write(async (tx) => {
      await tx.updateTable('sequence').set({ value: 10 }).execute()
      held()
      await isOver
    })
    await isHeld
    const small = database.writeQuickly([add(database, 1)])
    expect(await readValue(database)).toBe(0)
    releaseHeld()
    await large
    expect(await small).toEqual([[{ value: 11 }]])
  })
})

describeWithPostgres('small writes in the background', (url) => {
  test('run one at a time, also after one that failed; others do not wait for them', async () => {
    const { database } = await openFresh(createEngine(url))
    const done: string[] = []
    const write = (name: string, query: RawBuilder<unknown>, isBackground: boolean) =>
      database
        .writeQuickly([{ compile: () => query.compile(database.reader) }], { isBackground })
        .finally(() => done.push(name))
    const results = await Promise.allSettled([
      write('slow', sql`select pg_sleep(0.3)`, true),
      write('wrong', sql`select 1 / 0`, true),
      write('last', sql`select 1`, true),
      write('urgent', sql`select 1`, false),
    ])
    expect(done).toEqual(['urgent', 'slow', 'wrong', 'last'])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'fulfilled'])
  })
})
