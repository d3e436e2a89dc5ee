// Tests how soon a receiver has everything after an outage, and that an event which is refused for its content keeps its
// schedule all the same.
import { expect, test } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'

const secondMs = 1_000
const minuteMs = 60 * secondMs
/** The highest number of requests to one endpoint at a time. */
const togetherMax = 8

describeEachEngine('webhook outages', (engine) => {
  test('requests that fail together count as one failure, and the others are sent at once', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    const refused = refuseTogether(fixture)
    await fixture.createWatches(60)
    await fixture.sender.deliverDue()
    expect(refused()).toBe(togetherMax)
    expect(fixture.receiver.taken()).toHaveLength(60 - togetherMax)
    expect(await fixture.getWebhook(id)).toMatchObject({ consecutive_failures: 0 })
    await fixture.pass(5 * secondMs)
    expect(fixture.receiver.taken()).toHaveLength(60)
  })

  test('a receiver that refuses everything for two seconds has all events three seconds later', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    const ids = await fixture.createWatches(60)
    await fixture.setPrices(ids, 1)
    refuseTogether(fixture, 500)
    await fixture.sender.deliverDue()
    expect(await fixture.getWebhook(id)).toMatchObject({ consecutive_failures: 5 })
    await fixture.pass(2 * secondMs)
    fixture.receiver.answer = () => 204
    await fixture.pass(3 * secondMs)
    expect(fixture.receiver.taken()).toHaveLength(120)
    expectOrder(fixture, ids)
  })

  test('after an outage, failed events are sent again as soon as another is accepted', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook({ events: ['watch.price_changed'] })
    const [watch = 0, other = 0] = await fixture.createWatches(2)
    fixture.receiver.answer = () => 503
    await fixture.setPrice(watch, 1)
    await fixture.sender.deliverDue()
    await fixture.setPrice(watch, 2)
    // The second attempt fails too, so the third would come after five minutes.
    await fixture.pass(5 * secondMs)
    fixture.receiver.answer = () => 204
    await fixture.setPrice(other, 1)
    await fixture.pass(secondMs)
    expect(fixture.receiver.taken()).toHaveLength(3)
    expectOrder(fixture, [watch, other])
  })

  test('an event that is refused for its content keeps its schedule while others are accepted', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook({ events: ['watch.price_changed'] })
    const [bad = 0, good = 0] = await fixture.createWatches(2)
    fixture.receiver.answer = ({ data }) => (data.watch_id === bad ? 500 : 204)
    await fixture.setPrice(bad, 1)
    const startMs = fixture.clock.nowMs()
    for (let step = 0; step < 40; step++) {
      await fixture.setPrice(good, step + 1)
      await fixture.pass(step === 0 ? 0 : step < 10 ? secondMs : minuteMs)
    }
    const times = (await fixture.attempts())
      .filter(({ response_status }) => response_status === 500)
      .map(({ at }) => Math.floor((Date.parse(at) - startMs) / minuteMs))
    expect(times).toEqual([0, 0, 5])
  })

  test('events that a receiver refuses for their content are not used up by its recoveries', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook({ events: ['watch.price_changed'] })
    const ids = await fixture.createWatches(7)
    const good = ids[6] as number
    fixture.receiver.answer = ({ data }) => (data.watch_id === good ? 204 : 422)
    await fixture.setPrices(ids.slice(0, 6), 1)
    for (let step = 0; step < 30; step++) {
      await fixture.setPrice(good, step + 1)
      await fixture.pass(6 * secondMs)
    }
    const tries = (await fixture.deliveries())
      .filter(({ status }) => status !== 'delivered')
      .map((row) => row.tries)
    expect(tries).toHaveLength(6)
    expect(Math.max(...tries)).toBeLessThanOrEqual(3)
    expect(fixture.receiver.taken()).toHaveLength(30)
  })
})

/** Accepts events until several requests arrive together; refuses these, and answers the later ones with `after`. */
function refuseTogether({ receiver }: WebhookFixture, after = 204): () => number {
  const gate = Promise.withResolvers<void>()
  let refused = 0
  receiver.answer = async () => {
    if (receiver.received.length < 2 * togetherMax) return 204
    if (refused === togetherMax) return after
    if (++refused === togetherMax) gate.resolve()
    await gate.promise
    return 500
  }
  return () => refused
}

function expectOrder({ receiver }: WebhookFixture, ids: readonly number[]): void {
  const taken = receiver.taken().map(({ body }) => body.data)
  for (const id of ids) {
    const sequences = taken
      .filter(({ watch_id }) => watch_id === id)
      .map(({ sequence }) => sequence as number)
    expect(sequences, `watch ${id}`).toEqual(sequences.toSorted((one, other) => one - other))
  }
}
