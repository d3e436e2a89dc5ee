// What only the embedded engine has to promise: several processes on one new file.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqlite } from './sqlite.ts'

test('a new file that another process is just opening is waited for', async () => {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-'))
  onTestFinished(() => rm(directory, { recursive: true }))
  const other = new DatabaseSync(path.join(directory, 'watchdata.sqlite'))
  // The lock that the change to the write-ahead log takes; SQLite refuses a second one at once.
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
