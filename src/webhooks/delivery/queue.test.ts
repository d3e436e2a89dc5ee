// Checks that every query for waiting deliveries uses an index: the log of a month is long.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler } from 'kysely'
import { expect, test } from 'vitest'
import { createEngine } from '../../../test/databases/engines.ts'
import { openFresh } from '../../../test/databases/open-database.ts'
import type { Tables, Tx } from '../../storage/database.ts'
import { holdBehind, releaseAllHeld, releaseHeld, retryFailed, tryNow } from '../held-deliveries.ts'
import { readFirstPages, readPage } from './queue.ts'

const engine = createEngine()
const now = '2026-03-01T12:00:00.000Z'

type Question = (tx: Tx) => Promise<unknown>
const byTheWaiting = /INDEX webhook_deliveries_(waiting|tests|behind) /

test.each<[string, Question]>([
  ['a page', (tx) => readPage(tx, 1, 5)],
  ['the first pages of one endpoint', (tx) => readFirstPages(tx, [1])],
  ['the first pages of several endpoints', (tx) => readFirstPages(tx, [1, 2, 3])],
  ['deliveries held behind another', (tx) => releaseHeld(tx, 1, 'watch:1', now)],
  ['all held deliveries', (tx) => releaseAllHeld(tx, 1, now).catch(() => {})],
  ['failed deliveries', (tx) => retryFailed(tx, 1, { since: now, triesMax: 2 })],
  ['deliveries that wait for a later time', (tx) => tryNow(tx, 1, now)],
])('an index of waiting deliveries finds %s', async (_name, question) => {
  for (const plan of await plansOf(question)) expect(plan).toMatch(byTheWaiting)
})

test('the primary key finds deliveries that are put behind another', async () => {
  for (const plan of await plansOf((tx) => holdBehind(tx, 1, [1, 2, 3]))) {
    expect(plan).toMatch(/endpoint_id=\? AND event_id=\?/)
  }
})

/** Returns SQLite's query plans for the statements that the question really sends. */
async function plansOf(question: Question): Promise<string[]> {
  const statements: string[] = []
  const writing = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new SqliteAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new SqliteIntrospector(db),
      createQueryCompiler: () => new SqliteQueryCompiler(),
    },
    log: ({ query }) => void statements.push(query.sql),
  })
  await question(writing as Tx)
  expect(statements.length).toBeGreaterThan(0)
  const { config } = await openFresh(engine)
  const raw = new DatabaseSync(path.join(config.dataDir, 'watchdata.sqlite'))
  const plans = statements.map((statement) =>
    raw
      .prepare(`explain query plan ${statement}`)
      .all()
      .map((row) => String(row.detail))
      .join(),
  )
  raw.close()
  return plans
}
