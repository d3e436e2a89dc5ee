// Guarantees about migrations on both engines: the schema is up to date or untouched, never half migrated, and never
// newer than the code.
import { expect, test } from 'vitest'
import { getHead } from '../../src/changes/log.ts'
import { migrate, migrateWithin, pendingMigrations, schemaNumber } from '../../src/storage/migrate.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { freshConfig, openFresh, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const clock = manualClock()

describeEachEngine('migrations', (engine) => {
  test('are applied once, in order of their numbers', async () => {
    const database = await openUnmigrated(await freshConfig(engine))
    const pending = await pendingMigrations(database)
    expect(pending.map(({ number }) => number)).toEqual(pending.map((_, index) => index + 1))
    expect(await migrate(database, clock)).toEqual(pending)
    expect(await migrate(database, clock)).toEqual([])
    expect(await pendingMigrations(database)).toEqual([])
    expect(await schemaNumber(database.reader)).toBe(pending.length)
  })

  test('are applied once by processes that start together', async () => {
    const config = await freshConfig(engine)
    const databases = await Promise.all(Array.from({ length: 4 }, () => openUnmigrated(config)))
    const applied = await Promise.all(databases.map((database) => migrate(database, clock)))
    expect(applied.filter((one) => one.length > 0)).toHaveLength(1)
  })

  test('are all undone when one fails', async () => {
    const database = await openUnmigrated(await freshConfig(engine))
    const failing = database.write(async (tx) => {
      await migrateWithin(database, tx, clock)
      await database.script(tx, 'CREATE TABLE extra (id INTEGER); CREATE TABLE extra (id INTEGER);')
    })
    await expect(failing).rejects.toThrow(/extra/)
    expect(await database.reader.introspection.getTables()).toEqual([])
    expect((await migrate(database, clock)).length).toBeGreaterThan(0)
  })

  test('reject a database of a newer version, name the setting to change, and leave it alone', async () => {
    const { database } = await openFresh(engine)
    const newer = { number: 9_999, name: 'from_the_future', applied_at: clock.now().toISOString() }
    await database.write((tx) => tx.insertInto('migrations').values(newer).execute())
    await expect(migrate(database, clock)).rejects.toThrow(/newer version.*DATA_DIR or DATABASE_URL/)
    await expect(pendingMigrations(database)).rejects.toThrow(/newer version/)
    expect(await schemaNumber(database.reader)).toBe(9_999)
  })

  test('give the database a permanent epoch', async () => {
    const { database, config } = await openFresh(engine)
    const { epoch } = await getHead(database.reader)
    const again = await openUnmigrated(config)
    await migrate(again, clock)
    expect((await getHead(again.reader)).epoch).toBe(epoch)
    expect(epoch).toMatch(/^[0-9a-f-]{36}$/)
  })
})
