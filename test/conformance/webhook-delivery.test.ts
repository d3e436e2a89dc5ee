// What is promised of deliveries: each event to each endpoint that wants it, signed, in order for each watch, tried again
// until it is taken, by any number of senders.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Sender } from '../../src/webhooks/delivery/sender.ts'
import { retryDelaysMs } from '../../src/webhooks/retry-schedule.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookDesk, type WebhookDesk } from '../webhooks/webhook-fixture.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describeEachEngine('webhook delivery', (engine) => {
  test('an event goes once to each endpoint that asks for its type, with what has changed', async () => {
    const desk = await openWebhookDesk(engine)
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}all` })
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}prices`, events: ['watch.price_changed'] })
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}brands`, events: ['brand.*'] })
    const [id = 0] = await desk.createWatches(1, { dial_color: 'Black' })
    await desk.setSpecs(id, { dial_color: 'Blue' })
    await desk.setPrice(id, 100)
    await desk.deleteWatch(id)
    await desk.sender.deliverDue()
    await desk.sender.deliverDue()

    const all = desk.receiver.taken('/all').map(({ body }) => body)
    expect(all.map(({ type }) => type)).toEqual([
      'watch.created',
      'watch.updated',
      'watch.price_changed',
      'watch.deleted',
    ])
    expect(all.map(({ data }) => data.watch?.specs.dial_color)).toEqual(['Black', 'Blue', 'Blue', undefined])
    expect(all.map(({ data }) => data.watch?.retail_price_usd)).toEqual([null, null, 100, undefined])
    expect(all[1]?.data.changes).toEqual({ 'specs.dial_color': { old: 'Black', new: 'Blue' } })
    expect(all[2]?.data.changes).toEqual({ retail_price_usd: { old: null, new: 100 } })
    expect(all[3]?.data).toMatchObject({ watch_id: id, watch: null })
    expect(desk.receiver.taken('/prices').map(({ body }) => body.type)).toEqual(['watch.price_changed'])
    expect(desk.receiver.taken('/brands')).toEqual([])
  })

  test('sequences are told in a chain, so that a receiver can tell whether it missed one', async () => {
    const desk = await openWebhookDesk(engine)
    const [id = 0] = await desk.createWatches(1)
    await desk.createWebhook({ events: ['watch.price_changed'] })
    await desk.setSpecs(id, { a: 1 })
    await desk.setPrice(id, 1)
    await desk.sender.deliverDue()
    await desk.setPrice(id, 2)
    await desk.sender.deliverDue()
    const chain = desk.receiver.taken().map(({ body }) => [body.data.previous_sequence, body.data.sequence])
    // The brand and the watch were there when the webhook was made.
    expect(chain).toEqual([
      [2, 4],
      [4, 5],
    ])
  })

  test('every attempt is signed so that the standard library verifies it, by both secrets after a rotation', async () => {
    const desk = await openWebhookDesk(engine)
    desk.clock.moveTo(new Date().toISOString())
    const { id, secret } = await desk.createWebhook()
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    const { rotateSecret } = await import('../../src/webhooks/endpoints/endpoints.ts')
    const { accountId, sealer, clock } = desk
    const rotated = await desk.database.write((tx) => rotateSecret(tx, clock, sealer, { accountId, id }))
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    const [first, second] = desk.receiver.received
    const verify = (key: string, one = first) =>
      new Webhook(key).verify(one?.text ?? '', one?.headers as Record<string, string>)
    expect(verify(secret)).toEqual(first?.body)
    expect(verify(secret, second)).toEqual(second?.body)
    expect(verify(rotated.secret, second)).toEqual(second?.body)
    expect(() => verify(rotated.secret, first)).toThrow()

    await desk.pass(dayMs + 1)
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    expect(desk.receiver.received[2]?.headers['webhook-signature']).not.toContain(' ')
  })

  test('an event that fails is tried again after each delay of the table, with the same id and body', async () => {
    const desk = await openWebhookDesk(engine)
    desk.receiver.answer = () => 500
    await desk.createWebhook()
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    const startMs = desk.clock.nowMs()
    for (const delayMs of retryDelaysMs) {
      await desk.pass(delayMs - 1)
      await desk.pass(1)
    }
    const attempts = await desk.attempts()
    let dueMs = startMs
    const due = [startMs, ...retryDelaysMs.map((delayMs) => (dueMs += delayMs))]
    expect(attempts.map(({ at }) => Date.parse(at))).toEqual(due)
    expect(new Set(desk.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(desk.receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(attempts[0]).toMatchObject({ response_status: 500, response_body: 'answered 500', attempt: 1 })
    desk.receiver.answer = () => 200
    await desk.pass(dayMs)
    expect(await desk.deliveries()).toMatchObject([
      { status: 'delivered', attempts: 11, next_attempt_at: null },
    ])
  })

  test('while an event waits for its retry the later ones of its watch wait behind it, and other watches go on', async () => {
    const desk = await openWebhookDesk(engine)
    const [first = 0, second = 0] = await desk.createWatches(2)
    await desk.createWebhook()
    desk.receiver.answer = ({ data }) => (data.watch_id === first ? 500 : 200)
    for (const price of [1, 2, 3]) {
      await desk.setPrice(first, price)
      await desk.setPrice(second, price)
      await desk.sender.deliverDue()
    }
    const pricesOf = (id: number) =>
      desk.receiver
        .taken()
        .filter(({ body }) => body.data.watch_id === id)
        .map(({ body }) => body.data.watch.retail_price_usd)
    expect(pricesOf(second)).toEqual([1, 2, 3])
    expect(desk.receiver.received.filter(({ status }) => status === 500)).toHaveLength(1)
    desk.receiver.answer = () => 200
    await desk.pass(6_000)
    expect(pricesOf(first)).toEqual([1, 2, 3])
  })

  test('an endpoint that is down is probed and not hammered, and has everything in order when it is up', async () => {
    const desk = await openWebhookDesk(engine)
    const ids = await desk.createWatches(40)
    await desk.createWebhook()
    desk.receiver.answer = () => 503
    for (const price of [1, 2]) await desk.setPrices(ids, price)
    await desk.sender.deliverDue()
    const atOnce = desk.receiver.received.length
    expect(atOnce).toBeLessThanOrEqual(16)
    for (let minute = 0; minute < 60; minute++) await desk.pass(minuteMs)
    // Looked at each minute: six times while the delay doubles from 5 s on, then every five minutes.
    expect(desk.receiver.received.length - atOnce).toBeLessThanOrEqual(6 + 10)
    desk.receiver.answer = () => 200
    for (let minute = 0; minute < 6; minute++) await desk.pass(minuteMs)
    expect(desk.receiver.taken()).toHaveLength(80)
    for (const id of ids) {
      const ofWatch = desk.receiver.taken().filter(({ body }) => body.data.watch_id === id)
      expect(ofWatch.map(({ body }) => body.data.watch.retail_price_usd)).toEqual([1, 2])
    }
  })

  test('an event is given up after the last retry only if others got through', async () => {
    const desk = await openWebhookDesk(engine)
    const [poison = 0, other = 0] = await desk.createWatches(2)
    await desk.createWebhook()
    desk.receiver.answer = ({ data }) => (data.watch_id === poison ? 500 : 200)
    await desk.setPrice(poison, 1)
    await desk.setPrice(poison, 2)
    for (let hour = 0; hour < 24 * 4; hour += 2) {
      await desk.setPrice(other, hour)
      await desk.pass(2 * hourMs)
    }
    const deliveries = (await desk.deliveries()).filter(({ subject }) => subject === `watch:${poison}`)
    expect(deliveries[0]).toMatchObject({ status: 'failed', attempts: 10 })
    expect(deliveries[1]?.attempts).toBeGreaterThan(0)
    expect((await desk.getWebhook(1)).status).toBe('active')
  })

  test('five days of nothing but failure disable an endpoint, mail its owner, and keep what waits', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    desk.receiver.answer = () => 500
    const [watch = 0] = await desk.createWatches(1)
    for (let hour = 0; hour < 119; hour++) await desk.pass(hourMs)
    expect((await desk.getWebhook(id)).status).toBe('active')
    for (let hour = 0; hour < 26; hour++) await desk.pass(hourMs)
    expect((await desk.getWebhook(id)).status).toBe('disabled')
    const attempts = desk.receiver.received.length
    await desk.setPrice(watch, 5)
    await desk.pass(dayMs)
    expect(desk.receiver.received).toHaveLength(attempts)
    expect(await lettersOf(desk)).toHaveLength(1)
    desk.receiver.answer = () => 200
    await desk.changeWebhook(id, { status: 'active' })
    await desk.sender.deliverDue()
    expect(desk.receiver.taken().map(({ body }) => body.type)).toEqual(['watch.created'])
    await desk.setPrice(watch, 6)
    await desk.sender.deliverDue()
    // What was not recorded meanwhile shows: the last one taken was 2.
    expect(desk.receiver.taken().at(-1)?.body.data).toMatchObject({ previous_sequence: 3, sequence: 4 })
  })

  test('410 disables an endpoint at once', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook()
    desk.receiver.answer = () => 410
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    await desk.pass(dayMs)
    expect(desk.receiver.received).toHaveLength(1)
    expect((await desk.getWebhook(id)).status).toBe('disabled')
    expect(await lettersOf(desk)).toMatchObject([{ to: 'owner@example.com' }])
  })

  test('what happens while an endpoint is paused is sent in order when it is active again', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook({ status: 'paused' })
    const [watch = 0] = await desk.createWatches(1)
    await desk.setPrice(watch, 1)
    await desk.pass(hourMs)
    expect(desk.receiver.received).toEqual([])
    await desk.changeWebhook(id, { status: 'active' })
    await desk.sender.deliverDue()
    expect(desk.receiver.taken().map(({ body }) => body.type)).toEqual([
      'watch.created',
      'watch.price_changed',
    ])
  })

  test('with a filter, events come of watches that match before or after the change, however late they are made', async () => {
    const desk = await openWebhookDesk(engine)
    await desk.createWebhook({ filter: 'brand=rolex&spec[dial_color]=blue&retail_price_usd[lt]=5000' })
    const [one = 0, other = 0] = await desk.createWatches(2, { dial_color: 'Red' })
    await desk.setPrice(one, 4_000)
    await desk.setSpecs(one, { dial_color: 'BLUE' })
    await desk.setSpecs(one, { dial_color: 'Red' })
    await desk.setPrice(one, 6_000)
    await desk.setPrice(other, 1)
    await desk.setSpecs(other, { dial_color: 'Blue' })
    await desk.deleteWatch(other)
    await desk.sender.deliverDue()
    const seen = desk.receiver
      .taken()
      .sort((left, right) => (left.body.data.sequence ?? 0) - (right.body.data.sequence ?? 0))
      .map(({ body: { type, data } }) => [type, data.watch_id])
    expect(seen).toEqual([
      ['watch.updated', one],
      ['watch.updated', one],
      ['watch.updated', other],
      ['watch.deleted', other],
    ])
    expect(desk.receiver.taken()[0]?.body.data.watch).toMatchObject({
      retail_price_usd: 4_000,
      specs: { dial_color: 'BLUE' },
    })
  })

  test('of more webhooks than the plan has, the oldest get events; of an account that is suspended, none', async () => {
    const desk = await openWebhookDesk(engine, { plan: 'pro' })
    for (const path of ['a', 'b', 'c', 'd'])
      await desk.createWebhook({ endpoint_url: desk.receiver.url + path })
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    expect(
      desk.receiver
        .taken()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/a', '/b', '/c'])
    await desk.database.write((tx) => tx.updateTable('accounts').set({ status: 'suspended' }).execute())
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}e` })
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    expect(desk.receiver.taken()).toHaveLength(3)
  })

  test('several senders on one database send each event once, in order for each watch', async () => {
    const desk = await openWebhookDesk(engine)
    for (let at = 0; at < 20; at++) await desk.createWebhook({ endpoint_url: `${desk.receiver.url}${at}` })
    const others: Sender[] = []
    for (let at = 0; at < 3; at++) others.push(await desk.anotherSender(await openUnmigrated(desk.config)))
    const ids = await desk.createWatches(5)
    const send = () => Promise.all([desk.sender, ...others].map((sender) => sender.deliverDue()))
    for (let price = 1; price <= 4; price++) {
      const sending = send()
      for (const id of ids) await desk.setPrice(id, price)
      await sending
    }
    await send()
    expect(desk.receiver.taken()).toHaveLength(20 * 5 * 5)
    for (let at = 0; at < 20; at++) {
      for (const id of ids) {
        const ofWatch = desk.receiver.taken(`/${at}`).filter(({ body }) => body.data.watch_id === id)
        expect(ofWatch.map(({ body }) => body.data.watch.retail_price_usd)).toEqual([null, 1, 2, 3, 4])
      }
    }
  })

  test('what a sender that died had claimed is sent by another', async () => {
    const desk = await openWebhookDesk(engine)
    await desk.createWebhook()
    await desk.createWatches(1)
    const { claimed_until } = await desk.database.write(async (tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({
          claimed_by: 'the dead',
          claimed_until: new Date(desk.clock.nowMs() + minuteMs).toISOString(),
        })
        .returning('claimed_until')
        .executeTakeFirstOrThrow(),
    )
    await desk.sender.deliverDue()
    expect(desk.receiver.received).toEqual([])
    await desk.pass(Date.parse(claimed_until ?? '') - desk.clock.nowMs() + 1)
    expect(desk.receiver.taken()).toHaveLength(1)
  })

  test('an endpoint that is deleted while events are on their way gets no more, and stops nobody', async () => {
    const desk = await openWebhookDesk(engine)
    const { id } = await desk.createWebhook({ endpoint_url: `${desk.receiver.url}gone` })
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}stays` })
    desk.receiver.answer = async (_event, path) => {
      if (path === '/gone') {
        await desk.database.write((tx) => tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute())
      }
      return 200
    }
    await desk.createWatches(3)
    await desk.sender.deliverDue()
    expect(desk.receiver.taken('/stays')).toHaveLength(3)
    expect((await desk.deliveries()).map(({ endpoint_id }) => endpoint_id)).not.toContain(id)
  })

  test('after thirty days what was delivered is forgotten', async () => {
    const desk = await openWebhookDesk(engine)
    const { removeOld } = await import('../../src/webhooks/delivery/retention.ts')
    await desk.createWebhook()
    await desk.createWatches(3)
    await desk.sender.deliverDue()
    await desk.pass(29 * dayMs)
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    await desk.pass(1 * dayMs + 1)
    expect(await removeOld(desk, new AbortController().signal)).toBe(3)
    expect(await desk.deliveries()).toHaveLength(1)
    expect(await desk.attempts()).toHaveLength(1)
  })

  test('no secret of a webhook stands in the database as it is', async () => {
    const desk = await openWebhookDesk(engine)
    const { secret } = await desk.createWebhook()
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    const rows = [
      await desk.database.reader.selectFrom('webhook_endpoints').selectAll().execute(),
      await desk.attempts(),
      await desk.database.reader.selectFrom('webhook_events').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
  })
})

async function lettersOf(desk: WebhookDesk): Promise<{ to: string }[]> {
  const { tellOwners } = await import('../../src/webhooks/endpoints/notices.ts')
  const { openLog } = await import('../../src/log.ts')
  const letters: { to: string }[] = []
  const mail = { send: async (letter: { to: string }) => void letters.push(letter) }
  const parts = { ...desk, mail, log: openLog(desk.config) }
  await tellOwners(parts)
  await tellOwners(parts)
  return letters
}
