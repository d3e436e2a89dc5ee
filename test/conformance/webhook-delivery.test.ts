// Guarantees about deliveries: each event goes to each endpoint that wants it, signed, in order for each watch,
// retried until it is accepted, by any number of senders.
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import type { Sender } from '../../src/webhooks/delivery/sender.ts'
import { retryDelaysMs } from '../../src/webhooks/retry-schedule.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

describeEachEngine('webhook delivery', (engine) => {
  test('an event goes once to each endpoint that subscribes to its type, with what has changed', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}all` })
    await fixture.createWebhook({
      endpoint_url: `${fixture.receiver.url}prices`,
      events: ['watch.price_changed'],
    })
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}brands`, events: ['brand.*'] })
    const [id = 0] = await fixture.createWatches(1, { dial_color: 'Black' })
    await fixture.setSpecs(id, { dial_color: 'Blue' })
    await fixture.setPrice(id, 100)
    await fixture.deleteWatch(id)
    await fixture.sender.deliverDue()
    await fixture.sender.deliverDue()

    const all = fixture.receiver.taken('/all').map(({ body }) => body)
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
    expect(fixture.receiver.taken('/prices').map(({ body }) => body.type)).toEqual(['watch.price_changed'])
    expect(fixture.receiver.taken('/brands')).toEqual([])
  })

  test('each event names the previous sequence, so that a receiver can detect a gap', async () => {
    const fixture = await openWebhookFixture(engine)
    const [id = 0] = await fixture.createWatches(1)
    await fixture.createWebhook({ events: ['watch.price_changed'] })
    await fixture.setSpecs(id, { a: 1 })
    await fixture.setPrice(id, 1)
    await fixture.sender.deliverDue()
    await fixture.setPrice(id, 2)
    await fixture.sender.deliverDue()
    const chain = fixture.receiver
      .taken()
      .map(({ body }) => [body.data.previous_sequence, body.data.sequence])
    // The brand and the watch existed when the webhook was created.
    expect(chain).toEqual([
      [2, 4],
      [4, 5],
    ])
  })

  test('every attempt is signed for the standard library, with both secrets after a rotation', async () => {
    const fixture = await openWebhookFixture(engine)
    fixture.clock.moveTo(new Date().toISOString())
    const { id, secret } = await fixture.createWebhook()
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const { rotateSecret } = await import('../../src/webhooks/endpoints/endpoints.ts')
    const { accountId, sealer, clock } = fixture
    const rotated = await fixture.database.write((tx) => rotateSecret(tx, clock, sealer, { accountId, id }))
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const [first, second] = fixture.receiver.received
    const verify = (key: string, one = first) =>
      new Webhook(key).verify(one?.text ?? '', one?.headers as Record<string, string>)
    expect(verify(secret)).toEqual(first?.body)
    expect(verify(secret, second)).toEqual(second?.body)
    expect(verify(rotated.secret, second)).toEqual(second?.body)
    expect(() => verify(rotated.secret, first)).toThrow()

    await fixture.pass(dayMs + 1)
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    expect(fixture.receiver.received[2]?.headers['webhook-signature']).not.toContain(' ')
  })

  test('an event that fails is retried after each delay of the schedule, with the same id and body', async () => {
    const fixture = await openWebhookFixture(engine)
    fixture.receiver.answer = () => 500
    await fixture.createWebhook()
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const startMs = fixture.clock.nowMs()
    for (const delayMs of retryDelaysMs) {
      await fixture.pass(delayMs - 1)
      await fixture.pass(1)
    }
    const attempts = await fixture.attempts()
    let dueMs = startMs
    const due = [startMs, ...retryDelaysMs.map((delayMs) => (dueMs += delayMs))]
    expect(attempts.map(({ at }) => Date.parse(at))).toEqual(due)
    expect(new Set(fixture.receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1)
    expect(new Set(fixture.receiver.received.map(({ text }) => text)).size).toBe(1)
    expect(attempts[0]).toMatchObject({ response_status: 500, response_body: 'answered 500', attempt: 1 })
    fixture.receiver.answer = () => 200
    await fixture.pass(dayMs)
    expect(await fixture.deliveries()).toMatchObject([
      { status: 'delivered', attempts: 11, next_attempt_at: null },
    ])
  })

  test('while an event waits for its retry, later events of its watch wait, and those of other watches do not', async () => {
    const fixture = await openWebhookFixture(engine)
    const [first = 0, second = 0] = await fixture.createWatches(2)
    await fixture.createWebhook()
    fixture.receiver.answer = ({ data }) => (data.watch_id === first ? 500 : 200)
    for (const price of [1, 2, 3]) {
      await fixture.setPrice(first, price)
      await fixture.setPrice(second, price)
      await fixture.sender.deliverDue()
    }
    const pricesOf = (id: number) =>
      fixture.receiver
        .taken()
        .filter(({ body }) => body.data.watch_id === id)
        .map(({ body }) => body.data.watch.retail_price_usd)
    expect(pricesOf(second)).toEqual([1, 2, 3])
    expect(fixture.receiver.received.filter(({ status }) => status === 500)).toHaveLength(1)
    fixture.receiver.answer = () => 200
    await fixture.pass(6_000)
    expect(pricesOf(first)).toEqual([1, 2, 3])
  })

  test('an endpoint that is down is probed rarely, and gets everything in order when it is up', async () => {
    const fixture = await openWebhookFixture(engine)
    const ids = await fixture.createWatches(40)
    await fixture.createWebhook()
    fixture.receiver.answer = () => 503
    for (const price of [1, 2]) await fixture.setPrices(ids, price)
    await fixture.sender.deliverDue()
    const atOnce = fixture.receiver.received.length
    expect(atOnce).toBeLessThanOrEqual(16)
    for (let minute = 0; minute < 60; minute++) await fixture.pass(minuteMs)
    // The clock moves a minute at a time: six probes while the delay doubles from 5 s, then one every five minutes.
    expect(fixture.receiver.received.length - atOnce).toBeLessThanOrEqual(6 + 10)
    fixture.receiver.answer = () => 200
    for (let minute = 0; minute < 6; minute++) await fixture.pass(minuteMs)
    expect(fixture.receiver.taken()).toHaveLength(80)
    for (const id of ids) {
      const ofWatch = fixture.receiver.taken().filter(({ body }) => body.data.watch_id === id)
      expect(ofWatch.map(({ body }) => body.data.watch.retail_price_usd)).toEqual([1, 2])
    }
  })

  test('an event fails for good after the last retry only if other events were delivered', async () => {
    const fixture = await openWebhookFixture(engine)
    const [poison = 0, other = 0] = await fixture.createWatches(2)
    await fixture.createWebhook()
    fixture.receiver.answer = ({ data }) => (data.watch_id === poison ? 500 : 200)
    await fixture.setPrice(poison, 1)
    await fixture.setPrice(poison, 2)
    for (let hour = 0; hour < 24 * 4; hour += 2) {
      await fixture.setPrice(other, hour)
      await fixture.pass(2 * hourMs)
    }
    const deliveries = (await fixture.deliveries()).filter(({ subject }) => subject === `watch:${poison}`)
    expect(deliveries[0]).toMatchObject({ status: 'failed', attempts: 10 })
    expect(deliveries[1]?.attempts).toBeGreaterThan(0)
    expect((await fixture.getWebhook(1)).status).toBe('active')
  })

  test('five days of failures only disable an endpoint, email its owner, and keep pending deliveries', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    fixture.receiver.answer = () => 500
    const [watch = 0] = await fixture.createWatches(1)
    for (let hour = 0; hour < 119; hour++) await fixture.pass(hourMs)
    expect((await fixture.getWebhook(id)).status).toBe('active')
    for (let hour = 0; hour < 26; hour++) await fixture.pass(hourMs)
    expect((await fixture.getWebhook(id)).status).toBe('disabled')
    const attempts = fixture.receiver.received.length
    await fixture.setPrice(watch, 5)
    await fixture.pass(dayMs)
    expect(fixture.receiver.received).toHaveLength(attempts)
    expect(await emailsOf(fixture)).toHaveLength(1)
    fixture.receiver.answer = () => 200
    await fixture.changeWebhook(id, { status: 'active' })
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken().map(({ body }) => body.type)).toEqual(['watch.created'])
    await fixture.setPrice(watch, 6)
    await fixture.sender.deliverDue()
    // The gap shows what was not recorded while it was disabled: the last accepted event was 2.
    expect(fixture.receiver.taken().at(-1)?.body.data).toMatchObject({ previous_sequence: 3, sequence: 4 })
  })

  test('410 disables an endpoint immediately', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook()
    fixture.receiver.answer = () => 410
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    await fixture.pass(dayMs)
    expect(fixture.receiver.received).toHaveLength(1)
    expect((await fixture.getWebhook(id)).status).toBe('disabled')
    expect(await emailsOf(fixture)).toMatchObject([{ to: 'owner@example.com' }])
  })

  test('events during a pause are sent in order when the endpoint is active again', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook({ status: 'paused' })
    const [watch = 0] = await fixture.createWatches(1)
    await fixture.setPrice(watch, 1)
    await fixture.pass(hourMs)
    expect(fixture.receiver.received).toEqual([])
    await fixture.changeWebhook(id, { status: 'active' })
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken().map(({ body }) => body.type)).toEqual([
      'watch.created',
      'watch.price_changed',
    ])
  })

  test('with a filter, events of watches that match before or after the change are sent, however late they are built', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook({ filter: 'brand=rolex&spec[dial_color]=blue&retail_price_usd[lt]=5000' })
    const [one = 0, other = 0] = await fixture.createWatches(2, { dial_color: 'Red' })
    await fixture.setPrice(one, 4_000)
    await fixture.setSpecs(one, { dial_color: 'BLUE' })
    await fixture.setSpecs(one, { dial_color: 'Red' })
    await fixture.setPrice(one, 6_000)
    await fixture.setPrice(other, 1)
    await fixture.setSpecs(other, { dial_color: 'Blue' })
    await fixture.deleteWatch(other)
    await fixture.sender.deliverDue()
    const seen = fixture.receiver
      .taken()
      .sort((left, right) => (left.body.data.sequence ?? 0) - (right.body.data.sequence ?? 0))
      .map(({ body: { type, data } }) => [type, data.watch_id])
    expect(seen).toEqual([
      ['watch.updated', one],
      ['watch.updated', one],
      ['watch.updated', other],
      ['watch.deleted', other],
    ])
    expect(fixture.receiver.taken()[0]?.body.data.watch).toMatchObject({
      retail_price_usd: 4_000,
      specs: { dial_color: 'BLUE' },
    })
  })

  test('of more webhooks than the plan allows, the oldest get events; those of a suspended account get none', async () => {
    const fixture = await openWebhookFixture(engine, { plan: 'pro' })
    for (const path of ['a', 'b', 'c', 'd'])
      await fixture.createWebhook({ endpoint_url: fixture.receiver.url + path })
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    expect(
      fixture.receiver
        .taken()
        .map(({ path }) => path)
        .sort(),
    ).toEqual(['/a', '/b', '/c'])
    await fixture.database.write((tx) => tx.updateTable('accounts').set({ status: 'suspended' }).execute())
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}e` })
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken()).toHaveLength(3)
  })

  test('several senders on one database send each event once, in order for each watch', async () => {
    const fixture = await openWebhookFixture(engine)
    for (let at = 0; at < 20; at++)
      await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}${at}` })
    const others: Sender[] = []
    for (let at = 0; at < 3; at++)
      others.push(await fixture.anotherSender(await openUnmigrated(fixture.config)))
    const ids = await fixture.createWatches(5)
    const send = () => Promise.all([fixture.sender, ...others].map((sender) => sender.deliverDue()))
    for (let price = 1; price <= 4; price++) {
      const sending = send()
      for (const id of ids) await fixture.setPrice(id, price)
      await sending
    }
    await send()
    expect(fixture.receiver.taken()).toHaveLength(20 * 5 * 5)
    for (let at = 0; at < 20; at++) {
      for (const id of ids) {
        const ofWatch = fixture.receiver.taken(`/${at}`).filter(({ body }) => body.data.watch_id === id)
        expect(ofWatch.map(({ body }) => body.data.watch.retail_price_usd)).toEqual([null, 1, 2, 3, 4])
      }
    }
  })

  test('claims of a dead sender are delivered by another', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook()
    await fixture.createWatches(1)
    const { claimed_until } = await fixture.database.write(async (tx) =>
      tx
        .updateTable('webhook_endpoints')
        .set({
          claimed_by: 'the dead',
          claimed_until: new Date(fixture.clock.nowMs() + minuteMs).toISOString(),
        })
        .returning('claimed_until')
        .executeTakeFirstOrThrow(),
    )
    await fixture.sender.deliverDue()
    expect(fixture.receiver.received).toEqual([])
    await fixture.pass(Date.parse(claimed_until ?? '') - fixture.clock.nowMs() + 1)
    expect(fixture.receiver.taken()).toHaveLength(1)
  })

  test('an endpoint deleted while events are in flight gets no more, and blocks no other', async () => {
    const fixture = await openWebhookFixture(engine)
    const { id } = await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}gone` })
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}stays` })
    fixture.receiver.answer = async (_event, path) => {
      if (path === '/gone') {
        await fixture.database.write((tx) =>
          tx.deleteFrom('webhook_endpoints').where('id', '=', id).execute(),
        )
      }
      return 200
    }
    await fixture.createWatches(3)
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken('/stays')).toHaveLength(3)
    expect((await fixture.deliveries()).map(({ endpoint_id }) => endpoint_id)).not.toContain(id)
  })

  test('delivered events are deleted after thirty days', async () => {
    const fixture = await openWebhookFixture(engine)
    const { removeOld } = await import('../../src/webhooks/delivery/retention.ts')
    await fixture.createWebhook()
    await fixture.createWatches(3)
    await fixture.sender.deliverDue()
    await fixture.pass(29 * dayMs)
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    await fixture.pass(1 * dayMs + 1)
    expect(await removeOld(fixture, new AbortController().signal)).toBe(3)
    expect(await fixture.deliveries()).toHaveLength(1)
    expect(await fixture.attempts()).toHaveLength(1)
  })

  test('webhook secrets are not stored in plain text', async () => {
    const fixture = await openWebhookFixture(engine)
    const { secret } = await fixture.createWebhook()
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const rows = [
      await fixture.database.reader.selectFrom('webhook_endpoints').selectAll().execute(),
      await fixture.attempts(),
      await fixture.database.reader.selectFrom('webhook_events').selectAll().execute(),
    ]
    expect(JSON.stringify(rows)).not.toContain(secret.slice('whsec_'.length))
  })
})

async function emailsOf(fixture: WebhookFixture): Promise<{ to: string }[]> {
  const { notifyOwners } = await import('../../src/webhooks/endpoints/notices.ts')
  const { openLog } = await import('../../src/log.ts')
  const emails: { to: string }[] = []
  const mail = { send: async (message: { to: string }) => void emails.push(message) }
  const parts = { ...fixture, mail, log: openLog(fixture.config) }
  await notifyOwners(parts)
  await notifyOwners(parts)
  return emails
}
