// Tests webhooks with the SDK: their whole life, and that the events that the service sends are verified.
import { describe, expect, test } from 'vitest'
import { NotFoundError, verifyWebhook, Watchdata, WebhookVerificationError } from '../../sdk/src/index.ts'
import { receiverUrl, startWebhookServer } from '../api/webhook-server.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { openWebhookFixture } from '../webhooks/webhook-fixture.ts'
import { recordedClient } from './recorded-client.ts'

const engine = createEngine()
const open = share(() => startWebhookServer(engine))
const optionsOf = () => ({ baseUrl: open().baseUrl, apiKey: open().keys.platinum })

describe('a webhook', () => {
  test('is created, read, changed, tested, redelivered and deleted', async () => {
    const { webhooks } = new Watchdata(optionsOf())
    const { secret, ...created } = await webhooks.create({
      endpoint_url: receiverUrl,
      events: ['watch.price_changed'],
      filter: 'brand=Rolex',
    })
    expect(secret).toMatch(/^whsec_/)
    expect(await webhooks.get(created.id)).toEqual(created)
    expect(await webhooks.list()).toEqual([created])
    const changed = await webhooks.update(created.id, { status: 'paused', filter: null })
    expect(changed).toMatchObject({ status: 'paused', filter: null })
    const delivery = await webhooks.test(created.id)
    expect(delivery.event.type).toBe('webhook.test')
    const ids: number[] = []
    for await (const { id } of webhooks.deliveries(created.id, { type: 'webhook.test' })) ids.push(id)
    expect(ids).toEqual([delivery.id])
    const details = await webhooks.delivery(created.id, delivery.id)
    expect(JSON.parse(details.request.body)).toMatchObject({ data: { webhook_id: created.id } })
    expect((await webhooks.redeliverDelivery(created.id, delivery.id)).id).toBe(delivery.id)
    expect(await webhooks.redeliver(created.id, { since: new Date('2026-02-20') })).toEqual({
      redelivered: 0,
    })
    expect((await webhooks.rotateSecret(created.id)).secret).not.toBe(secret)
    expect(await webhooks.delete(created.id)).toBeUndefined()
    await expect(webhooks.get(created.id)).rejects.toBeInstanceOf(NotFoundError)
  })

  test('is created once, even if the response was lost and the request is sent again', async () => {
    let lost = 1
    const { client, exchanged } = recordedClient(optionsOf(), () => {
      lost -= 1
      if (lost >= 0) throw new TypeError('the connection was lost')
    })
    const call = client.webhooks.create({ endpoint_url: receiverUrl })
    const { data, response } = await call.withResponse()
    expect(exchanged.map(({ status }) => status)).toEqual([201, 201])
    expect(response.headers.get('idempotent-replayed')).toBe('true')
    expect((await client.webhooks.list()).filter(({ id }) => id === data.id)).toHaveLength(1)
    expect(await client.webhooks.list()).toHaveLength(1)
  })
})

test('events are verified as the service sends them, with the old and the new secret', async () => {
  const fixture = await openWebhookFixture(engine)
  const { receiver, clock, createWebhook, createWatches, setPrice, deleteWatch, pass } = fixture
  const { secret } = await createWebhook()
  const [id = 0] = await createWatches(1)
  await pass(0)
  await setPrice(id, 9_500)
  await pass(1_000)
  await deleteWatch(id)
  await pass(1_000)
  const now = clock.now()
  const events = []
  for (const { text, headers } of receiver.received) {
    events.push(await verifyWebhook(text, headers, secret, { now }))
    await expect(verifyWebhook(`${text} `, headers, secret, { now })).rejects.toThrow(
      WebhookVerificationError,
    )
  }
  expect(events.map((event) => event.type)).toEqual(['watch.created', 'watch.price_changed', 'watch.deleted'])
  const changed = events.find((event) => event.type === 'watch.price_changed')
  expect(changed?.data.watch?.retail_price_usd).toBe(9_500)
  expect(changed?.data.changes).toEqual({ retail_price_usd: { old: null, new: 9_500 } })
})
