// Tests failures of receivers, senders and owners: no delivery gets stuck, no order is reversed, and no one is blocked
// by another.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { redeliver, sendTest } from '../../src/webhooks/deliveries/redeliver.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookFixture } from '../webhooks/webhook-fixture.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describeEachEngine('webhook failures', (engine) => {
  test('the order of a watch holds if its later event is on the second page of the run that retries the first', async () => {
    const fixture = await openWebhookFixture(engine)
    const [watch = 0, ...others] = await fixture.createWatches(1_100)
    await fixture.createWebhook({ events: ['watch.price_changed'] })
    let isRefused = true
    fixture.receiver.answer = ({ data }) => (isRefused && data.watch_id === watch ? 500 : 200)
    await fixture.setPrice(watch, 1)
    await fixture.setPrice(watch, 2)
    await fixture.sender.deliverDue()
    isRefused = false
    await fixture.setPrices(others, 1)
    await fixture.setPrice(watch, 3)
    await fixture.pass(6_000)
    const prices = fixture.receiver
      .taken()
      .filter(({ body }) => body.data.watch_id === watch)
      .map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices).toEqual([1, 2, 3])
  })

  test('six watches that a receiver rejects do not block its other events', async () => {
    const fixture = await openWebhookFixture(engine)
    const ids = await fixture.createWatches(7)
    const good = ids[6] as number
    await fixture.createWebhook()
    fixture.receiver.answer = ({ data }) => (data.watch_id === good ? 200 : 422)
    for (const id of ids.slice(0, 6)) await fixture.setPrice(id, 1)
    await fixture.sender.deliverDue()
    await fixture.setPrice(good, 7)
    let minutes = 0
    for (; minutes < 600 && fixture.receiver.taken().length === 0; minutes++) await fixture.pass(minuteMs)
    expect(minutes).toBeLessThanOrEqual(6)
  })

  test('an endpoint that is down is not claimed in an endless loop', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWatches(1)
    await fixture.createWebhook()
    await fixture.createWatches(1_100)
    fixture.receiver.answer = () => 500
    await fixture.sender.deliverDue()
    // Simulates a receiver that rejects 200 watches and accepts the others: the first 200 wait for a later time.
    const inTwoHours = new Date(fixture.clock.nowMs() + 120 * minuteMs).toISOString()
    await fixture.database.write((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: inTwoHours, attempts: 4, tries: 4 })
        .where('event_id', '<=', 200)
        .execute(),
    )
    fixture.clock.moveTo(new Date(fixture.clock.nowMs() + 6 * minuteMs).toISOString())
    const end = fixture.sender.deliverDue().then(() => 'done')
    const winner = await Promise.race([end, delay(5_000, 'endless')])
    fixture.clock.moveTo(new Date(fixture.clock.nowMs() + 121 * minuteMs).toISOString())
    await end
    expect(winner).toBe('done')
  })

  test('a sender whose claim has expired leaves no delivery stuck', async () => {
    const fixture = await openWebhookFixture(engine)
    const other = await fixture.anotherSender(await openUnmigrated(fixture.config))
    const [watch = 0] = await fixture.createWatches(1)
    await fixture.createWebhook()
    await fixture.setPrice(watch, 1)
    await fixture.setPrice(watch, 2)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isFirst = true
    fixture.receiver.answer = async () => {
      if (!isFirst) return 200
      isFirst = false
      begun.resolve()
      await gate.promise
      return 500
    }
    const slow = fixture.sender.deliverDue()
    await begun.promise
    // Longer than a claim: the sender was delayed by a full queue, a lost database or a sleeping machine.
    fixture.clock.moveTo(new Date(fixture.clock.nowMs() + 61_000).toISOString())
    await other.deliverDue()
    gate.resolve()
    await slow
    for (let day = 0; day < 3; day++) await fixture.pass(dayMs)
    await fixture.setPrice(watch, 3)
    for (let day = 0; day < 3; day++) await fixture.pass(dayMs)
    const rows = await fixture.deliveries()
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
    const prices = fixture.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices, 'order').toEqual(prices.toSorted((a, b) => a - b))
  })

  test('events that a late sender queues behind another do not stay there for ever', async () => {
    const fixture = await openWebhookFixture(engine)
    const other = await fixture.anotherSender(await openUnmigrated(fixture.config))
    const [watch = 0, slow = 0] = await fixture.createWatches(2)
    const { id } = await fixture.createWebhook()
    let isRefused = true
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isFirst = true
    fixture.receiver.answer = async ({ data }) => {
      if (data.watch_id === watch) {
        // The owner pauses the webhook at the moment the first event is accepted.
        if (!isRefused) await fixture.changeWebhook(id, { status: 'paused' })
        return isRefused ? 500 : 200
      }
      if (!isFirst) return 200
      isFirst = false
      begun.resolve()
      await gate.promise
      return 200
    }
    await fixture.setPrice(watch, 1)
    await fixture.sender.deliverDue()
    await fixture.setPrice(watch, 2)
    await fixture.setPrice(slow, 1)
    const late = fixture.sender.deliverDue()
    await begun.promise
    isRefused = false
    fixture.clock.moveTo(new Date(fixture.clock.nowMs() + 61_000).toISOString())
    await other.deliverDue()
    gate.resolve()
    await late
    fixture.receiver.answer = () => 200
    await fixture.changeWebhook(id, { status: 'active' })
    for (let day = 0; day < 20; day++) await fixture.pass(dayMs)
    expect(await fixture.deliveries()).not.toContainEqual(expect.objectContaining({ status: 'waiting' }))
  })

  test('pending deliveries are sent when the owner re-enables a disabled webhook', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    fixture.receiver.answer = () => 500
    await fixture.createWatches(3)
    for (let hour = 0; hour < 200 && (await fixture.getWebhook(id)).status === 'active'; hour++)
      await fixture.pass(hourMs)
    expect((await fixture.getWebhook(id)).status).toBe('disabled')
    fixture.receiver.answer = () => 200
    await fixture.changeWebhook(id, { status: 'active' })
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken()).toHaveLength(3)
  })

  test('a test event is sent to an endpoint that is down with many events pending', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    fixture.receiver.answer = ({ type }) => (type === 'webhook.test' ? 200 : 500)
    await fixture.createWatches(1_100)
    await fixture.sender.deliverDue()
    await fixture.database.write((tx) => sendTest(tx, fixture.clock, { accountId: fixture.accountId, id }))
    for (let minute = 0; minute < 30; minute++) await fixture.pass(minuteMs)
    expect(fixture.receiver.received.filter(({ body }) => body.type === 'webhook.test')).toHaveLength(1)
  })

  test('nothing is sent to a paused webhook, except requests already in flight', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    let sinceThen = 0
    let isPaused = false
    fixture.receiver.answer = async () => {
      if (isPaused) sinceThen++
      else if (fixture.receiver.received.length === 10) {
        await fixture.changeWebhook(id, { status: 'paused' })
        isPaused = true
      }
      return 200
    }
    await fixture.createWatches(2_000)
    await fixture.sender.deliverDue()
    expect(sinceThen).toBeLessThan(400)
  })

  test('a 410 from an old URL does not disable a webhook whose owner has set a new one', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}old` })
    fixture.receiver.answer = async (_event, path) => {
      if (path !== '/old') return 200
      await fixture.changeWebhook(id, { endpoint_url: `${fixture.receiver.url}new` })
      return 410
    }
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    await fixture.pass(minuteMs)
    expect((await fixture.getWebhook(id)).status).toBe('active')
    expect(fixture.receiver.taken('/new')).toHaveLength(1)
  })

  test('a redelivery requested during an attempt is sent', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    await fixture.createWatches(1)
    fixture.receiver.answer = () => 500
    for (const ms of [0, 6_000, 6 * minuteMs, 40 * minuteMs]) await fixture.pass(ms)
    const [row] = await fixture.deliveries()
    fixture.receiver.answer = async () => {
      await fixture.database.write((tx) =>
        redeliver(tx, fixture.clock, { accountId: fixture.accountId, id }, row?.event_id ?? 0),
      )
      fixture.receiver.answer = () => 200
      return 500
    }
    await fixture.pass(121 * minuteMs)
    await fixture.pass(6 * minuteMs)
    expect((await fixture.deliveries())[0]).toMatchObject({ status: 'delivered' })
  })
})
