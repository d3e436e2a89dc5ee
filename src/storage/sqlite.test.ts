// A guarantee that only SQLite has to give: several processes can open one new file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from './sqlite.ts'

test('opening a new file waits for another process that is just opening it', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const other = new DatabaseSync(path.join(directory, 'watchdata.sqlite'))
  // The lock that the switch to the write-ahead log takes; SQLite refuses a second one without waiting.
  other.exec('begin immediate')
  const opening = openSqlite(directory)
  const attempts = await Promise.race([
    opening.then(() => 'opened'),
    new Promise((resolve) => setTimeout(resolve, 50, 'waits')),
  ])
  other.close()
  const database = await opening
  onTestFinished(() => database.close())
  expect(attempts).toBe('waits')
  await database.write(async (tx) => tx.schema.createTable('kept').addColumn('id', 'integer').execute())
})
