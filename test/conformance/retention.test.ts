// Tests what is deleted after its time, and what stays although it is old: the newest change, and changes that webhooks
// have not read yet.
import { expect, test } from 'vitest'
import { removeOldUsage } from '../../src/access/request-log/remove-old-usage.ts'
import { removeExpired } from '../../src/access/sign-in/remove-expired.ts'
import { follow, LogReplaced } from '../../src/changes/follow.ts'
import { findFirstSequence, getHead, readAfter, recordChanges } from '../../src/changes/log.ts'
import { removeOldChanges } from '../../src/changes/remove-old-changes.ts'
import { findLastRead } from '../../src/webhooks/fan-out/find-last-read.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'

const dayMs = 86_400_000
const { signal } = new AbortController()

describeEachEngine('retention', (engine) => {
  test('old changes are deleted from the start of the log, in batches, and the newest stays', async () => {
    const fixture = await openWebhookFixture(engine)
    const { database, clock } = fixture
    await recordMany(fixture, 2_500)
    pass(fixture, 30)
    await recordMany(fixture, 10)
    const { sequence: head } = await getHead(database.reader)
    expect(await remove(fixture, 90)).toBe(0)
    pass(fixture, 61)
    expect(await remove(fixture, 0), 'with 0, all are kept').toBe(0)
    expect(await remove(fixture, 90)).toBe(head - 10)
    expect(await findFirstSequence(database.reader)).toBe(head - 9)
    pass(fixture, 1_000)
    expect(await remove(fixture, 90)).toBe(9)
    expect(await readAfter(database.reader, 0, 10)).toMatchObject([{ sequence: head }])
    await recordChanges(database, clock, async (_tx, record) =>
      record({ type: 'watch.created', subjectId: 1 }),
    )
    expect((await getHead(database.reader)).sequence).toBe(head + 1)
  })

  test('changes that webhooks have not read yet stay, and the events are complete', async () => {
    const fixture = await openWebhookFixture(engine)
    const [watch = 0] = await fixture.createWatches(1, { dial_color: 'Black' })
    await fixture.createWebhook({ filter: 'spec[dial_color]=Black' })
    const { sequence: start } = await getHead(fixture.database.reader)
    await fixture.setPrice(watch, 1)
    await fixture.setSpecs(watch, { dial_color: 'Blue' })
    await fixture.setPrice(watch, 2)
    pass(fixture, 100)
    await remove(fixture, 90)
    expect(await findFirstSequence(fixture.database.reader)).toBe(start + 1)
    await fixture.sender.deliverDue()
    const events = fixture.receiver.taken().map(({ body }) => [body.type, body.data.watch?.retail_price_usd])
    expect(events).toEqual([
      ['watch.price_changed', 1],
      ['watch.updated', 1],
    ])
    await remove(fixture, 90)
    expect(await findFirstSequence(fixture.database.reader), 'the newest').toBe(start + 3)
  })

  test('a webhook that is disabled does not keep the log', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    await fixture.createWatches(5)
    await fixture.database.write((tx) =>
      tx.updateTable('webhook_endpoints').set({ status: 'disabled' }).where('id', '=', id).execute(),
    )
    pass(fixture, 100)
    await remove(fixture, 90)
    const { sequence } = await getHead(fixture.database.reader)
    expect(await findFirstSequence(fixture.database.reader)).toBe(sequence)
  })

  test('a reader that follows the log learns that the next change is no longer there', async () => {
    const fixture = await openWebhookFixture(engine)
    await recordMany(fixture, 5)
    const head = await getHead(fixture.database.reader)
    pass(fixture, 100)
    await remove(fixture, 90)
    const late = follow(fixture.database, { ...head, sequence: 1 }, { read: readAfter, signal })
    await expect(late.next()).rejects.toThrow(LogReplaced)
    const current = follow(
      fixture.database,
      { ...head, sequence: head.sequence - 1 },
      { read: readAfter, signal },
    )
    expect((await current.next()).value).toHaveLength(1)
    await current.return(undefined)
  })

  test('counts are kept for 400 days, and the number of responses by status for 35', async () => {
    const { database, clock, accountId } = await openWebhookFixture(engine)
    const daysAgo = (days: number) => new Date(clock.nowMs() - days * dayMs).toISOString().slice(0, 10)
    const all = [0, 35, 36, 400, 401, 500]
    await database.write(async (tx) => {
      const counts = all.map((days) => ({ subject: accountId, day: daysAgo(days), used: 1 }))
      const others = Array.from({ length: 1_200 }, (_, at) => ({
        subject: `${at}`,
        day: daysAgo(450),
        used: 1,
      }))
      await tx
        .insertInto('daily_counts')
        .values([...counts, ...others])
        .execute()
      const statuses = all.map((days) => ({
        account_id: accountId,
        day: daysAgo(days),
        status: 200,
        count: 1,
      }))
      await tx.insertInto('daily_statuses').values(statuses).execute()
    })
    await removeOldUsage(database, clock, signal)
    const daysIn = async (table: 'daily_counts' | 'daily_statuses') => {
      const rows = await database.reader.selectFrom(table).select('day').orderBy('day', 'desc').execute()
      return rows.map(({ day }) => day)
    }
    expect(await daysIn('daily_counts')).toEqual([0, 35, 36, 400].map(daysAgo))
    expect(await daysIn('daily_statuses')).toEqual([0, 35].map(daysAgo))
  })

  test('sessions and links are deleted when they have expired', async () => {
    const { database, clock } = await openFresh(engine)
    const inDays = (days: number) => new Date(clock.nowMs() + days * dayMs).toISOString()
    const times = { created_at: inDays(-2), updated_at: inDays(-2) }
    await database.write(async (tx) => {
      const links = [-1, 1].map((days) => ({
        id: `${days}`,
        identifier: `${days}`,
        value: '',
        expires_at: inDays(days),
        ...times,
      }))
      await tx.insertInto('verifications').values(links).execute()
    })
    await removeExpired(database, clock, signal)
    expect(await database.reader.selectFrom('verifications').select('id').execute()).toEqual([{ id: '1' }])
  })
})

function remove({ database, clock }: WebhookFixture, daysKept: number): Promise<number> {
  return removeOldChanges({ database, clock, daysKept, findLastRead }, signal)
}

function pass({ clock }: WebhookFixture, days: number): void {
  clock.moveTo(new Date(clock.nowMs() + days * dayMs).toISOString())
}

function recordMany({ database, clock }: WebhookFixture, count: number): Promise<void> {
  return recordChanges(database, clock, async (_tx, record) => {
    for (let at = 0; at < count; at++) record({ type: 'watch.updated', subjectId: 1 })
  })
}
