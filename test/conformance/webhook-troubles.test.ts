// What happens to receivers, senders and owners, and what must hold nevertheless: nothing stuck, nothing turned around,
// nobody held up by another.
import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { redeliver, sendTest } from '../../src/webhooks/deliveries/redeliver.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookDesk } from '../webhooks/webhook-fixture.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describeEachEngine('webhook troubles', (engine) => {
  test('order of a watch holds where its later event is on the second page of the run that retries the first', async () => {
    const desk = await openWebhookDesk(engine)
    const [watch = 0, ...others] = await desk.createWatches(1_100)
    await desk.createWebhook({ events: ['watch.price_changed'] })
    let isRefused = true
    desk.receiver.answer = ({ data }) => (isRefused && data.watch_id === watch ? 500 : 200)
    await desk.setPrice(watch, 1)
    await desk.setPrice(watch, 2)
    await desk.sender.deliverDue()
    isRefused = false
    await desk.setPrices(others, 1)
    await desk.setPrice(watch, 3)
    await desk.pass(6_000)
    const prices = desk.receiver
      .taken()
      .filter(({ body }) => body.data.watch_id === watch)
      .map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices).toEqual([1, 2, 3])
  })

  test('six watches that a receiver refuses do not hold up its other events', async () => {
    const desk = await openWebhookDesk(engine)
    const ids = await desk.createWatches(7)
    const good = ids[6] as number
    await desk.createWebhook()
    desk.receiver.answer = ({ data }) => (data.watch_id === good ? 200 : 422)
    for (const id of ids.slice(0, 6)) await desk.setPrice(id, 1)
    await desk.sender.deliverDue()
    await desk.setPrice(good, 7)
    let minutes = 0
    for (; minutes < 600 && desk.receiver.taken().length === 0; minutes++) await desk.pass(minuteMs)
    expect(minutes).toBeLessThanOrEqual(6)
  })

  test('an endpoint that is down is not claimed without end', async () => {
    const desk = await openWebhookDesk(engine)
    await desk.createWatches(1)
    await desk.createWebhook()
    await desk.createWatches(1_100)
    desk.receiver.answer = () => 500
    await desk.sender.deliverDue()
    // As it is where the receiver refuses 200 watches and takes the others: the first 200 wait for a later time.
    const inTwoHours = new Date(desk.clock.nowMs() + 120 * minuteMs).toISOString()
    await desk.database.write((tx) =>
      tx
        .updateTable('webhook_deliveries')
        .set({ next_attempt_at: inTwoHours, attempts: 4, tries: 4 })
        .where('event_id', '<=', 200)
        .execute(),
    )
    desk.clock.moveTo(new Date(desk.clock.nowMs() + 6 * minuteMs).toISOString())
    const end = desk.sender.deliverDue().then(() => 'done')
    const winner = await Promise.race([end, delay(5_000, 'endless')])
    desk.clock.moveTo(new Date(desk.clock.nowMs() + 121 * minuteMs).toISOString())
    await end
    expect(winner).toBe('done')
  })

  test('a sender whose claim has ended leaves nothing behind that nobody frees', async () => {
    const desk = await openWebhookDesk(engine)
    const other = await desk.anotherSender(await openUnmigrated(desk.config))
    const [watch = 0] = await desk.createWatches(1)
    await desk.createWebhook()
    await desk.setPrice(watch, 1)
    await desk.setPrice(watch, 2)
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isFirst = true
    desk.receiver.answer = async () => {
      if (!isFirst) return 200
      isFirst = false
      begun.resolve()
      await gate.promise
      return 500
    }
    const slow = desk.sender.deliverDue()
    await begun.promise
    // Longer than a claim: the sender was held up, by a full queue, a database that was gone, a machine that slept.
    desk.clock.moveTo(new Date(desk.clock.nowMs() + 61_000).toISOString())
    await other.deliverDue()
    gate.resolve()
    await slow
    for (let day = 0; day < 3; day++) await desk.pass(dayMs)
    await desk.setPrice(watch, 3)
    for (let day = 0; day < 3; day++) await desk.pass(dayMs)
    const rows = await desk.deliveries()
    expect(rows.map(({ status }) => status)).toEqual(['delivered', 'delivered', 'delivered'])
    const prices = desk.receiver.taken().map(({ body }) => body.data.watch.retail_price_usd)
    expect(prices, 'order').toEqual(prices.toSorted((a, b) => a - b))
  })

  test('events that a late sender puts behind another are not left there for good', async () => {
    const desk = await openWebhookDesk(engine)
    const other = await desk.anotherSender(await openUnmigrated(desk.config))
    const [watch = 0, slow = 0] = await desk.createWatches(2)
    const { id } = await desk.createWebhook()
    let isRefused = true
    const gate = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    let isFirst = true
    desk.receiver.answer = async ({ data }) => {
      if (data.watch_id === watch) {
        // Its owner pauses it in the moment in which the first is taken.
        if (!isRefused) await desk.changeWebhook(id, { status: 'paused' })
        return isRefused ? 500 : 200
      }
      if (!isFirst) return 200
      isFirst = false
      begun.resolve()
      await gate.promise
      return 200
    }
    await desk.setPrice(watch, 1)
    await desk.sender.deliverDue()
    await desk.setPrice(watch, 2)
    await desk.setPrice(slow, 1)
    const late = desk.sender.deliverDue()
    await begun.promise
    isRefused = false
    desk.clock.moveTo(new Date(desk.clock.nowMs() + 61_000).toISOString())
    await other.deliverDue()
    gate.resolve()
    await late
    desk.receiver.answer = () => 200
    await desk.changeWebhook(id, { status: 'active' })
    for (let day = 0; day < 20; day++) await desk.pass(dayMs)
    expect(await desk.deliveries()).not.toContainEqual(expect.objectContaining({ status: 'waiting' }))
  })

  test('what waits goes out when the owner activates a webhook that was disabled', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    desk.receiver.answer = () => 500
    await desk.createWatches(3)
    for (let hour = 0; hour < 200 && (await desk.getWebhook(id)).status === 'active'; hour++)
      await desk.pass(hourMs)
    expect((await desk.getWebhook(id)).status).toBe('disabled')
    desk.receiver.answer = () => 200
    await desk.changeWebhook(id, { status: 'active' })
    await desk.sender.deliverDue()
    expect(desk.receiver.taken()).toHaveLength(3)
  })

  test('a test is sent to an endpoint that is down with many events waiting', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    desk.receiver.answer = ({ type }) => (type === 'webhook.test' ? 200 : 500)
    await desk.createWatches(1_100)
    await desk.sender.deliverDue()
    await desk.database.write((tx) => sendTest(tx, desk.clock, { accountId: desk.accountId, id }))
    for (let minute = 0; minute < 30; minute++) await desk.pass(minuteMs)
    expect(desk.receiver.received.filter(({ body }) => body.type === 'webhook.test')).toHaveLength(1)
  })

  test('nothing is sent to a webhook once it is paused, but for what is under way', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    let sinceThen = 0
    let isPaused = false
    desk.receiver.answer = async () => {
      if (isPaused) sinceThen++
      else if (desk.receiver.received.length === 10) {
        await desk.changeWebhook(id, { status: 'paused' })
        isPaused = true
      }
      return 200
    }
    await desk.createWatches(2_000)
    await desk.sender.deliverDue()
    expect(sinceThen).toBeLessThan(400)
  })

  test('an address that answers 410 after its owner has given another does not disable the webhook', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook({ endpoint_url: `${desk.receiver.url}old` })
    desk.receiver.answer = async (_event, path) => {
      if (path !== '/old') return 200
      await desk.changeWebhook(id, { endpoint_url: `${desk.receiver.url}new` })
      return 410
    }
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    await desk.pass(minuteMs)
    expect((await desk.getWebhook(id)).status).toBe('active')
    expect(desk.receiver.taken('/new')).toHaveLength(1)
  })

  test('what is asked to be sent again while an attempt is under way is sent again', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    await desk.createWatches(1)
    desk.receiver.answer = () => 500
    for (const ms of [0, 6_000, 6 * minuteMs, 40 * minuteMs]) await desk.pass(ms)
    const [row] = await desk.deliveries()
    desk.receiver.answer = async () => {
      await desk.database.write((tx) =>
        redeliver(tx, desk.clock, { accountId: desk.accountId, id }, row?.event_id ?? 0),
      )
      desk.receiver.answer = () => 200
      return 500
    }
    await desk.pass(121 * minuteMs)
    await desk.pass(6 * minuteMs)
    expect((await desk.deliveries())[0]).toMatchObject({ status: 'delivered' })
  })
})
