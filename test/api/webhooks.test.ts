// Tests webhooks over HTTP: responses by plan, and ownership.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { receiverUrl, startWebhookServer, type WebhookServer } from './webhook-server.ts'

const engine = createEngine()
const shared = share(() => startWebhookServer(engine))
const secretShape = /^whsec_[A-Za-z0-9+/]{43}=$/

describe('a webhook', () => {
  test('is created with defaults, and returned with its secret only once', async () => {
    const server = await shared().forOthers()
    const now = server.now()
    const created = await server.send('pro', 'POST', '/webhooks', { endpoint_url: receiverUrl })
    const { secret, ...webhook } = created.body.data
    expect([created.status, secret]).toEqual([201, expect.stringMatching(secretShape)])
    expect(webhook).toEqual({
      id: expect.any(Number),
      endpoint_url: receiverUrl,
      events: ['*'],
      filter: null,
      description: null,
      status: 'active',
      last_success_at: null,
      last_failure_at: null,
      consecutive_failures: 0,
      previous_secret_expires_at: null,
      created_at: now,
      updated_at: now,
    })
    const path = `/webhooks/${webhook.id}`
    expect(created.headers.get('location')).toBe(`${server.baseUrl}/api/v1${path}`)
    expect(created.headers.get('cache-control')).toBe('private, no-store')
    expect(created.headers.get('x-ratelimit-remaining')).toBe('999999')
    const one = await server.send('pro', 'GET', path)
    expect([one.status, one.body]).toEqual([200, { data: webhook }])
    expect((await server.send('pro', 'GET', '/webhooks')).body).toEqual({ data: [webhook] })
    // The secret must not be readable in the database either.
    const rows = await server.database.reader.selectFrom('webhook_endpoints').selectAll().execute()
    expect(rows.map(({ id }) => Number(id))).toContain(webhook.id)
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  test('accepts every field, with events sorted and deduplicated', async () => {
    const server = await shared().forOthers()
    const fields = {
      endpoint_url: `${receiverUrl}?a=1`,
      events: ['watch.deleted', 'watch.created', 'watch.deleted'],
      filter: 'brand=Rolex&spec[dial_color]=Black',
      description: '  Price desk  ',
      status: 'paused',
      secret: 'whsec_mine',
      id: 99_999,
      colour: 'red',
    }
    const { status, body } = await server.send('platinum', 'POST', '/webhooks', fields)
    expect([status, body.data]).toEqual([
      201,
      expect.objectContaining({
        endpoint_url: fields.endpoint_url,
        events: ['watch.created', 'watch.deleted'],
        filter: fields.filter,
        description: 'Price desk',
        status: 'paused',
        secret: expect.stringMatching(secretShape),
      }),
    ])
    expect(body.data.id).not.toBe(fields.id)
  })

  test('with a filter that no watch matches is created, and told what may be meant', async () => {
    const server = await shared().forOthers()
    const filters = [
      ['spec[dail_color]=Black', 'dail_color; did_you_mean=dial_color', null],
      ['spec[crystal]=Sapphire,Paper', null, 'spec[crystal][]=Sapphire&spec[crystal][]=Paper'],
      ['brand=Rolex', null, null],
    ] as const
    for (const [filter, unknown, meant] of filters) {
      const sent = { endpoint_url: receiverUrl, filter }
      const { status, headers, body } = await server.send('pro', 'POST', '/webhooks', sent)
      expect([status, headers.get('x-unknown-spec-keys'), headers.get('x-did-you-mean')]).toEqual([
        201,
        unknown,
        meant,
      ])
      await server.send('pro', 'DELETE', `/webhooks/${body.data.id}`)
    }
  })

  test('is changed in the fields that are sent, and deleted with a 204', async () => {
    const server = await shared().forOthers()
    const madeAt = server.now()
    const { path } = await create(server, { filter: 'brand=Rolex', description: 'Desk' })
    server.wait(1_000)
    const changed = await server.send('pro', 'PATCH', path, { filter: null, status: 'paused' })
    expect([changed.status, changed.body.data]).toEqual([
      200,
      expect.objectContaining({
        endpoint_url: receiverUrl,
        filter: null,
        description: 'Desk',
        status: 'paused',
        created_at: madeAt,
        updated_at: new Date(Date.parse(madeAt) + 1_000).toISOString(),
      }),
    ])
    expect(changed.body.data).not.toHaveProperty('secret')
    const deleted = await server.send('pro', 'DELETE', path)
    expect([deleted.status, deleted.body]).toEqual([204, undefined])
    expect(deleted.headers.get('x-ratelimit-limit')).toBe('1000000')
    expect((await server.send('pro', 'DELETE', path)).status).toBe(404)
    expect((await server.send('pro', 'GET', '/webhooks')).body).toEqual({ data: [] })
  })

  test('gets a new secret by rotation, returned once', async () => {
    const server = await shared().forOthers()
    const { data: made, path } = await create(server)
    const { status, body } = await server.send('pro', 'POST', `${path}/rotate-secret`)
    expect([status, body.data.id]).toEqual([200, made.id])
    expect(body.data.secret).toMatch(secretShape)
    expect(body.data.secret).not.toBe(made.secret)
    const dayLater = new Date(Date.parse(server.now()) + 86_400_000).toISOString()
    expect(body.data.previous_secret_expires_at).toBe(dayLater)
    const { secret, ...webhook } = body.data
    expect((await server.send('pro', 'GET', path)).body.data).toEqual(webhook)
  })

  test('stays unchanged, including its timestamp, if a change has no effect', async () => {
    const server = await shared().forOthers()
    const fields = {
      endpoint_url: receiverUrl,
      events: ['watch.*'],
      filter: 'brand=Rolex',
      description: 'Desk',
    }
    const { data, path } = await create(server, fields)
    const { secret, ...made } = data
    server.wait(1_000)
    for (const same of [{}, undefined, fields, { ...fields, status: 'active', colour: 'red' }]) {
      const { status, body } = await server.send('pro', 'PATCH', path, same)
      expect([same, status, body.data]).toEqual([same, 200, made])
    }
  })

  test('is tested immediately in any status, and the delivery shows what is sent', async () => {
    const server = await shared().forOthers()
    const now = server.now()
    const { data: webhook, path } = await create(server, { status: 'paused' })
    const { status, body } = await server.send('pro', 'POST', `${path}/test`)
    const { id, event } = body.data
    expect([status, body.data]).toEqual([
      202,
      {
        id: expect.any(Number),
        event: {
          id: expect.stringMatching(/^evt_test_[\da-f-]{36}$/),
          type: 'webhook.test',
          timestamp: now,
          sequence: null,
        },
        status: 'waiting',
        attempts_count: 0,
        next_attempt_at: now,
        waiting_for: null,
        last_attempt_at: null,
        last_response_status: null,
        last_error: null,
        created_at: now,
      },
    ])
    const one = await server.send('pro', 'GET', `${path}/deliveries/${id}`)
    const { request, attempts } = one.body.data
    expect([request.url, request.headers['webhook-id']]).toEqual([receiverUrl, event.id])
    expect(JSON.parse(request.body)).toEqual({
      type: 'webhook.test',
      timestamp: now,
      data: { webhook_id: webhook.id, message: expect.any(String) },
    })
    expect(attempts).toEqual(expect.any(Array))
  })
})

describe('the number of webhooks', () => {
  test('is limited by the plan, and one more is rejected as not included in the plan', async () => {
    const server = await shared().forOthers()
    const create = (plan: 'pro' | 'platinum') =>
      server.send(plan, 'POST', '/webhooks', { endpoint_url: receiverUrl })
    for (const [plan, max] of [
      ['pro', 3],
      ['platinum', 25],
    ] as const) {
      for (let made = 0; made < max; made++) expect((await create(plan)).status).toBe(201)
      const { status, body } = await create(plan)
      const message = 'Your plan does not include access to this resource.'
      const text = `Your plan has ${max} webhooks, and you have ${max}: delete one, or change the plan.`
      const errors = { webhooks: [text] }
      expect([plan, status, body]).toEqual([plan, 403, { message, errors }])
    }
    const [first] = (await server.send('pro', 'GET', '/webhooks')).body.data
    await server.send('pro', 'DELETE', `/webhooks/${first.id}`)
    expect((await create('pro')).status).toBe(201)
  })
})

describe('webhooks of other accounts', () => {
  test('look as if they did not exist, on every route', async () => {
    const server = await shared().forOthers()
    const now = server.now()
    const { body } = await server.send('platinum', 'POST', '/webhooks', { endpoint_url: receiverUrl })
    const { id } = body.data
    const test = await server.send('platinum', 'POST', `/webhooks/${id}/test`)
    const stranger = await server.forOthers()
    const routes: [string, string, unknown?][] = [
      ['GET', ''],
      ['PATCH', '', { status: 'paused' }],
      ['DELETE', ''],
      ['POST', '/test'],
      ['POST', '/rotate-secret'],
      ['GET', '/deliveries'],
      ['POST', '/redeliver', { since: now }],
      ['GET', `/deliveries/${test.body.data.id}`],
      ['POST', `/deliveries/${test.body.data.id}/redeliver`],
    ]
    for (const [method, path, sent] of routes) {
      for (const named of [id, 999_999, '0', '-1', '01', '1.0', 'x', '%31x', '9'.repeat(17), '1e0']) {
        const answer = await stranger.send('platinum', method, `/webhooks/${named}${path}`, sent)
        const what = `${method} ${named}${path}`
        expect([what, answer.status, answer.body]).toEqual([what, 404, { message: 'Resource not found.' }])
      }
    }
    expect((await stranger.send('platinum', 'GET', '/webhooks')).body).toEqual({ data: [] })
    const mine = await server.send('platinum', 'GET', `/webhooks/${id}`)
    expect(mine.body.data).toMatchObject({ status: 'active', updated_at: now })
    // A delivery belongs to its webhook, and to no other of the same account.
    const other = await server.send('platinum', 'POST', '/webhooks', { endpoint_url: receiverUrl })
    const path = `/webhooks/${other.body.data.id}/deliveries/${test.body.data.id}`
    expect((await server.send('platinum', 'GET', path)).status).toBe(404)
    expect((await server.send('platinum', 'POST', `${path}/redeliver`)).status).toBe(404)
  })
})

describe('deliveries', () => {
  test('are listed newest first, page by page, with links and the correct total', async () => {
    const server = await shared().forOthers()
    const { path } = await create(server)
    for (let sent = 0; sent < 5; sent++) await server.send('pro', 'POST', `${path}/test`)
    const list = (query: string) => server.send('pro', 'GET', `${path}/deliveries${query}`)
    const idsOf = async (query: string) =>
      ((await list(query)).body.data as { id: number }[]).map(({ id }) => id)
    const all = await idsOf('')
    expect(all).toEqual(all.toSorted((one, other) => other - one))
    expect(all).toHaveLength(5)
    expect(await idsOf('?per_page=2&page=2&unknown=1')).toEqual(all.slice(2, 4))
    const second = await list('?type=webhook.test&per_page=2&page=2')
    expect(second.body.meta).toEqual({ current_page: 2, per_page: 2, total: 5 })
    const base = `${server.baseUrl}/api/v1${path}/deliveries?type=webhook.test&`
    expect(second.headers.get('link')).toBe(
      [
        `<${base}page=1&per_page=2>; rel="first"`,
        `<${base}page=1&per_page=2>; rel="prev"`,
        `<${base}page=3&per_page=2>; rel="next"`,
        `<${base}page=3&per_page=2>; rel="last"`,
      ].join(', '),
    )
    expect((await list('?page=9')).body).toEqual({
      data: [],
      meta: { current_page: 9, per_page: 25, total: 5 },
    })
    expect((await list('?type=watch.created')).body.meta.total).toBe(0)
    expect((await list('?status=delivered')).body.meta.total).toBe(0)
  })

  test('are filtered by valid values only', async () => {
    const server = await shared().forOthers()
    const { path } = await create(server)
    const badStatus = 'The selected status is invalid: it may be waiting, delivered or failed.'
    const badType =
      'The selected type is invalid: it may be watch.created, watch.updated, watch.price_changed, watch.deleted, brand.created, brand.updated, brand.deleted or webhook.test.'
    const refused: [string, Record<string, string[]>][] = [
      ['status=lost', { status: [badStatus] }],
      ['status=', { status: [badStatus] }],
      ['type=watch.*', { type: [badType] }],
      ['status=failed&status=failed', { status: ['The status must be given once.'] }],
      ['type[]=watch.created', { type: ['The type must be written without brackets.'] }],
      [
        'page=0&per_page=101',
        {
          page: ['The page must be between 1 and 1000000000.'],
          per_page: ['The per page must be between 1 and 100.'],
        },
      ],
    ]
    for (const [query, errors] of refused) {
      const { status, body } = await server.send('pro', 'GET', `${path}/deliveries?${query}`)
      expect([query, status, body.errors]).toEqual([query, 422, errors])
    }
    const sinces: [unknown, string][] = [
      [undefined, 'The since field is required.'],
      [null, 'The since field is required.'],
      [7, 'The since must be a string.'],
      ['yesterday', 'The since does not match the format 2026-01-31T12:00:00Z.'],
      ['2026-01-31', 'The since does not match the format 2026-01-31T12:00:00Z.'],
      ['2026-02-30T00:00:00Z', 'The since is not a valid date.'],
      ['2026-01-31T25:00:00Z', 'The since is not a valid date.'],
    ]
    const { body: none } = await server.send('pro', 'POST', `${path}/redeliver`)
    expect(none.errors).toEqual({ since: ['The since field is required.'] })
    for (const [since, text] of sinces) {
      const { status, body } = await server.send('pro', 'POST', `${path}/redeliver`, { since })
      expect([since, status, body.errors]).toEqual([since, 422, { since: [text] }])
    }
    const since = '2026-01-31T12:00:00.5+01:00'
    const { status, body } = await server.send('pro', 'POST', `${path}/redeliver`, { since })
    expect([status, body]).toEqual([202, { data: { redelivered: 0 } }])
  })
})

/** Creates a webhook on Pro, with a URL where nothing listens. */
async function create(server: WebhookServer, fields: object = {}) {
  const { body } = await server.send('pro', 'POST', '/webhooks', { endpoint_url: receiverUrl, ...fields })
  return { data: body.data, path: `/webhooks/${body.data.id}` }
}
