// The worker thread of small writes shuts down cleanly, and is replaced after a failure.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { SmallWrites } from './small-writes.ts'

async function openFile() {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-small-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, 'file.sqlite')
  const raw = new DatabaseSync(file)
  raw.exec('PRAGMA journal_mode = WAL; CREATE TABLE numbers (value INTEGER)')
  onTestFinished(() => raw.close())
  const count = () => raw.prepare('SELECT count(*) AS count FROM numbers').get()?.count
  return { file, count }
}

const insert = { sql: 'INSERT INTO numbers VALUES (?)', parameters: [1] }

test('writes in flight when it is closed are completed first', async () => {
  const { file, count } = await openFile()
  const small = new SmallWrites(file)
  const writes = Array.from({ length: 20 }, () => small.run([insert]))
  await small.close()
  await Promise.all(writes)
  expect(count()).toBe(20)
})

test('closing before the first write starts no thread', async () => {
  await new SmallWrites('/nowhere/file').close()
})

test('a thread that cannot start fails the write, and the next write starts another', async () => {
  const { file, count } = await openFile()
  const small = new SmallWrites(path.join(file, 'not-a-directory'))
  await expect(small.run([insert])).rejects.toThrow()
  await expect(small.run([insert])).rejects.toThrow()
  await small.close()
  expect(count()).toBe(0)
})
