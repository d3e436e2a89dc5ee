// What waits is found among what was ever sent by an index, whichever question is asked: a history of a month is long.
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { createEngine } from '../../test/engines.ts'
import { openFresh } from '../../test/open-database.ts'

const engine = createEngine()

test.each([
  [
    'a page',
    "select event_id from webhook_deliveries where status = 'waiting' and next_attempt_at is not null and previous_sequence is not null and endpoint_id = ? and event_id > ? order by event_id limit 200",
  ],
  [
    'first pages',
    "select event_id from webhook_deliveries where status = 'waiting' and next_attempt_at is not null and previous_sequence is not null and endpoint_id in (?, ?) order by endpoint_id, event_id limit 1000",
  ],
  [
    'tests',
    "select event_id from webhook_deliveries where status = 'waiting' and next_attempt_at is not null and previous_sequence is null and endpoint_id in (?, ?) order by event_id limit 1000",
  ],
  [
    'those behind',
    "update webhook_deliveries set next_attempt_at = ? where endpoint_id = ? and status = 'waiting' and subject = ? and next_attempt_at is null",
  ],
  [
    'those that failed',
    "update webhook_deliveries set next_attempt_at = last_attempt_at where endpoint_id = ? and status = 'waiting' and last_attempt_at >= ? and next_attempt_at is not null",
  ],
])('%s', async (_name, question) => {
  const { config } = await openFresh(engine)
  const raw = new DatabaseSync(path.join(config.dataDir, 'watchdata.sqlite'))
  const plan = raw
    .prepare(`explain query plan ${question}`)
    .all()
    .map((row) => String(row.detail))
  raw.close()
  expect(plan.join()).toMatch(/INDEX webhook_deliveries_(waiting|tests|behind)/)
})
