// Tests the claims of senders: one that lives keeps its endpoints, one that does not renew its claims loses them within
// seconds, and begins nothing more.
import { expect, test, vi } from 'vitest'
import type { Sender } from '../../src/webhooks/delivery/sender.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'

const claimMaxMs = 4_000

describeEachEngine('webhook claims', (engine) => {
  test('another sender goes on within four seconds, in order, and the first begins nothing more', async () => {
    const fixture = await openWebhookFixture(engine)
    const { held, other } = await holdFirstPost(fixture)
    const late = fixture.sender.deliverDue()
    await held.begun
    move(fixture, claimMaxMs)
    await other.deliverDue()
    const byOther = fixture.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(byOther).toEqual([1, 2, 3])
    held.end()
    await late
    const all = fixture.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(all, 'only the post in flight is a duplicate').toEqual([1, 2, 3, 1])
    expect((await fixture.deliveries()).map(({ status }) => status)).toEqual(Array(3).fill('delivered'))
  })

  test('a sender that runs keeps its endpoint, however long a post takes', async () => {
    const fixture = await openWebhookFixture(engine)
    const { held, other } = await holdFirstPost(fixture)
    fixture.sender.start()
    await held.begun
    for (let passed = 0; passed < 2; passed++) {
      move(fixture, claimMaxMs - 1_000)
      await untilRenewed(fixture)
      await other.deliverDue()
    }
    expect(fixture.receiver.received, 'the other sender sends nothing').toEqual([])
    held.end()
    await vi.waitFor(() => expect(fixture.receiver.taken()).toHaveLength(3), { timeout: 10_000 })
    const prices = fixture.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices).toEqual([1, 2, 3])
  })

  test('an expired claim that nobody took is renewed, and nothing is sent twice', async () => {
    const fixture = await openWebhookFixture(engine)
    const { held } = await holdFirstPost(fixture)
    fixture.sender.start()
    await held.begun
    move(fixture, 10 * claimMaxMs)
    // Like a process that was paused: the search for due endpoints comes before the next renewal.
    fixture.sender.wake()
    await untilRenewed(fixture)
    held.end()
    await vi.waitFor(() => expect(fixture.receiver.taken()).toHaveLength(3), { timeout: 10_000 })
    const prices = fixture.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices).toEqual([1, 2, 3])
  })

  test('a sender that cannot renew its claim begins no post with it, not even before it expires elsewhere', async () => {
    const fixture = await openWebhookFixture(engine)
    const { held } = await holdFirstPost(fixture)
    const claims: (string | null | undefined)[] = []
    const { answer } = fixture.receiver
    fixture.receiver.answer = async (event, path) => {
      claims.push((await claimOf(fixture))?.claimed_by)
      return answer(event, path)
    }
    const sending = fixture.sender.deliverDue()
    await held.begun
    move(fixture, claimMaxMs - 900)
    held.end()
    await sending
    expect(claims).toHaveLength(3)
    expect(claims[1], 'the endpoint was claimed anew').not.toBe(claims[0])
  })
})

/** Creates a webhook with three events of one watch, and a receiver that responds to the first post when told so. */
async function holdFirstPost(fixture: WebhookFixture) {
  const other: Sender = await fixture.anotherSender(await openUnmigrated(fixture.config))
  const [watch = 0] = await fixture.createWatches(1)
  await fixture.createWebhook()
  for (const price of [1, 2, 3]) await fixture.setPrice(watch, price)
  const begun = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<void>()
  let isFirst = true
  fixture.receiver.answer = async () => {
    if (!isFirst) return 204
    isFirst = false
    begun.resolve()
    await gate.promise
    return 204
  }
  return { held: { begun: begun.promise, end: gate.resolve }, other }
}

function move(fixture: WebhookFixture, ms: number): void {
  fixture.clock.moveTo(new Date(fixture.clock.nowMs() + ms).toISOString())
}

async function untilRenewed(fixture: WebhookFixture): Promise<void> {
  const most = new Date(fixture.clock.nowMs() + claimMaxMs - 1_000).toISOString()
  await vi.waitFor(async () => expect((await claimOf(fixture))?.claimed_until?.localeCompare(most)).toBe(1), {
    timeout: 10_000,
  })
}

function claimOf({ database }: WebhookFixture) {
  return database.reader
    .selectFrom('webhook_endpoints')
    .select(['claimed_by', 'claimed_until'])
    .executeTakeFirst()
}
