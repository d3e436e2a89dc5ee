// Tests the bodies that create or change a webhook: what is rejected, and with which messages.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { receiverUrl, startWebhookServer, type WebhookServer } from './webhook-server.ts'

const engine = createEngine()
const shared = share(() => startWebhookServer(engine))

describe('a body', () => {
  const required = ['The endpoint url field is required.']
  const badStatus = ['The selected status is invalid: it may be active or paused.']
  const idle = ['The filter is about watches, and the events are of brands only: none would be sent.']
  const url = receiverUrl
  const refused: [unknown, Record<string, unknown>][] = [
    [{}, { endpoint_url: required }],
    [{ endpoint_url: null }, { endpoint_url: required }],
    [{ endpoint_url: ' ' }, { endpoint_url: required }],
    [{ endpoint_url: 7 }, { endpoint_url: ['The endpoint url must be a string.'] }],
    [{ endpoint_url: [url] }, { endpoint_url: ['The endpoint url must be a string.'] }],
    [{ endpoint_url: 'http://127.0.0.1/' }, { endpoint_url: ['The endpoint url must use https.'] }],
    [{ endpoint_url: 'https://10.0.0.1/' }, { endpoint_url: ['The endpoint url must be a public address.'] }],
    [{ endpoint_url: url, events: [] }, { events: ['The events field is required.'] }],
    [{ endpoint_url: url, events: '*' }, { events: ['The events must be a list.'] }],
    [{ endpoint_url: url, events: { 0: '*' } }, { events: ['The events must be a list.'] }],
    [{ endpoint_url: url, events: [7, null] }, { events: ['The events must be a list of strings.'] }],
    [
      { endpoint_url: url, events: ['*', 'watch.sold'] },
      { events: [expect.stringMatching(/^The selected events is invalid: "watch.sold" is none of \*, /)] },
    ],
    [{ endpoint_url: url, events: ['webhook.test'] }, { events: [expect.stringContaining('webhook.test')] }],
    [{ endpoint_url: url, filter: 7 }, { filter: ['The filter must be a string.'] }],
    [{ endpoint_url: url, filter: 'colour=red' }, { filter: [expect.stringContaining('colour')] }],
    [{ endpoint_url: url, filter: 'spec[a][like]=b' }, { filter: [expect.any(String)] }],
    [
      { endpoint_url: url, filter: `brand=${'x'.repeat(3_000)}` },
      { filter: [expect.stringContaining('2048')] },
    ],
    [{ endpoint_url: url, events: ['brand.*', 'brand.created'], filter: 'brand=Rolex' }, { filter: idle }],
    [
      { endpoint_url: url, description: 'x'.repeat(256) },
      { description: ['The description may not be greater than 255 characters.'] },
    ],
    [
      { endpoint_url: url, description: 'a\u0000b' },
      { description: ['The description must not contain control characters.'] },
    ],
    [{ endpoint_url: url, description: {} }, { description: ['The description must be a string.'] }],
    [{ endpoint_url: url, status: 'disabled' }, { status: badStatus }],
    [{ endpoint_url: url, status: null }, { status: badStatus }],
    [{ endpoint_url: url, status: ['active'] }, { status: badStatus }],
    [
      { events: ['x'], filter: 'y=z', description: 1, status: 'on' },
      {
        endpoint_url: required,
        events: [expect.any(String)],
        filter: [expect.any(String)],
        description: [expect.any(String)],
        status: badStatus,
      },
    ],
  ]
  test('that is invalid is rejected with all errors at once, and nothing is created', async () => {
    const server = await shared().forOthers()
    for (const [body, errors] of refused) {
      const answer = await server.send('pro', 'POST', '/webhooks', body)
      const told = [answer.status, answer.body]
      expect([body, ...told]).toEqual([body, 422, { message: 'The given data was invalid.', errors }])
    }
    expect((await server.send('pro', 'GET', '/webhooks')).body.data).toEqual([])
  })

  test('of a change is rejected with the same messages, and may omit required fields', async () => {
    const server = await shared().forOthers()
    const id = await create(server)
    for (const [body, errors] of refused) {
      const { endpoint_url, ...others } = errors
      const isLacking = (body as object) && !('endpoint_url' in (body as object))
      const answer = await server.send('pro', 'PATCH', `/webhooks/${id}`, body)
      const wanted = isLacking ? others : { ...(endpoint_url !== undefined && { endpoint_url }), ...others }
      if (Object.keys(wanted).length === 0) expect(answer.status).toBe(200)
      else expect([body, answer.status, answer.body.errors]).toEqual([body, 422, wanted])
    }
    // Even if the webhook does not exist.
    const answer = await server.send('pro', 'PATCH', '/webhooks/999999', { status: 'on' })
    expect(answer.status).toBe(422)
  })

  test('that leaves a webhook without any event is rejected, whichever field is sent', async () => {
    const server = await shared().forOthers()
    const ofBrands = await create(server, { events: ['brand.updated'] })
    const ofWatches = await create(server, { filter: 'brand=Rolex' })
    const change = (id: number, body: object) => server.send('pro', 'PATCH', `/webhooks/${id}`, body)
    for (const answer of [
      await change(ofBrands, { filter: 'brand=Rolex' }),
      await change(ofWatches, { events: ['brand.*'] }),
    ]) {
      expect([answer.status, answer.body.errors]).toEqual([422, { filter: idle }])
    }
    expect((await change(ofBrands, { filter: 'brand=Rolex', events: ['*'] })).status).toBe(200)
    expect((await change(ofWatches, { filter: null, events: ['brand.*'] })).status).toBe(200)
  })

  test('that is empty changes nothing, and one that is not an object is rejected with the missing fields', async () => {
    const server = await shared().forOthers()
    const { status, body } = await server.send('pro', 'POST', '/webhooks')
    expect([status, body.errors]).toEqual([422, { endpoint_url: required }])
    const noObject = ['The body must be a JSON object.']
    for (const sent of [null, [], [{ endpoint_url: url }], 'x', 7, true]) {
      const post = (path: string) => server.send('pro', 'POST', path, sent)
      expect((await post('/webhooks')).body.errors).toEqual({ body: noObject, endpoint_url: required })
      const since = ['The since field is required.']
      expect((await post('/webhooks/1/redeliver')).body.errors).toEqual({ body: noObject, since })
      const changed = await server.send('pro', 'PATCH', '/webhooks/1', sent)
      expect([changed.status, changed.body.errors]).toEqual([422, { body: noObject }])
    }
    const { status: broken } = await server.ask('pro', '/webhooks', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"endpoint_url":',
    })
    expect(broken).toBe(400)
  })

  test('with a host name is resolved, and rejected if it resolves to this machine', async () => {
    const server = await startWebhookServer(engine, { WEBHOOK_ALLOW_CIDR: '' })
    const answer = await server.send('pro', 'POST', '/webhooks', { endpoint_url: 'https://example.com/x' })
    expect(answer.body.errors).toEqual({ endpoint_url: ['The endpoint url must be a public address.'] })
  })

  test('with the current URL is not resolved again, and with another is', async () => {
    const server = await shared().forOthers()
    const id = await create(server)
    // Simulates rules that have become stricter since.
    const inward = 'https://10.0.0.1/hooks'
    await server.database.write((tx) =>
      tx.updateTable('webhook_endpoints').set({ endpoint_url: inward }).where('id', '=', id).execute(),
    )
    const change = (endpoint_url: string) => server.send('pro', 'PATCH', `/webhooks/${id}`, { endpoint_url })
    expect((await change(inward)).status).toBe(200)
    expect((await change(`${inward}/2`)).status).toBe(422)
  })
})

async function create(server: WebhookServer, fields: object = {}): Promise<number> {
  const made = await server.send('pro', 'POST', '/webhooks', { endpoint_url: receiverUrl, ...fields })
  return made.body.data.id
}
