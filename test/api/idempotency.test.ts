// Tests the Idempotency-Key header: a request with one is executed once, however often and fast it is sent, and gets
// the same response.
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey } from '../../src/access/keys/keys.ts'
import { createSealer } from '../../src/seal.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { receiverUrl, startWebhookServer, type WebhookServer } from './webhook-server.ts'

const body = { endpoint_url: receiverUrl, status: 'paused' }
const hourMs = 3_600_000

function create(server: WebhookServer, key: string, sent: object = body) {
  return server.send('platinum', 'POST', '/webhooks', sent, { 'idempotency-key': key })
}

async function count(server: WebhookServer): Promise<number> {
  return (await server.send('platinum', 'GET', '/webhooks')).body.data.length
}

describeEachEngine('an idempotency key', (engine) => {
  const shared = share(() => startWebhookServer(engine))

  test('sent again with the same request returns the same response, and nothing is done twice', async () => {
    const server = await shared().forOthers()
    const first = await create(server, 'one')
    expect([first.status, first.headers.get('idempotent-replayed')]).toEqual([201, null])
    for (const sent of [body, body]) {
      const again = await create(server, 'one', sent)
      expect([again.status, again.body]).toEqual([201, first.body])
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again.headers.get('location')).toBe(first.headers.get('location'))
    }
    expect(await count(server)).toBe(1)
    // A replay costs one request, like any other.
    expect((await create(server, 'one')).headers.get('x-ratelimit-remaining')).toBe(String(1_000_000 - 5))
    expect((await create(server, 'two')).body.data.id).not.toBe(first.body.data.id)
    expect(await count(server)).toBe(2)
  })

  test('of many simultaneous requests is executed exactly once', async () => {
    const server = await shared().forOthers()
    const answers = await Promise.all(Array.from({ length: 30 }, (_, at) => create(server, `key-${at % 3}`)))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    const secrets = new Set(answers.map((answer) => answer.body.data.secret))
    expect([secrets.size, await count(server)]).toEqual([3, 3])
    const replayed = answers.filter(({ headers }) => headers.get('idempotent-replayed') === 'true')
    expect(replayed).toHaveLength(27)
  })

  test('is valid for one request only', async () => {
    const server = await shared().forOthers()
    const { data } = (await create(server, 'one')).body
    const text = 'The idempotency key was used for another request: send each key with one request only.'
    const others = [
      await create(server, 'one', { ...body, description: 'another' }),
      await server.send('platinum', 'POST', `/webhooks/${data.id}/test`, undefined, {
        'idempotency-key': 'one',
      }),
    ]
    for (const { status, body } of others) {
      expect([status, body.errors]).toEqual([422, { idempotency_key: [text] }])
    }
    expect(await count(server)).toBe(1)
  })

  test('is separate for each account', async () => {
    const server = await shared().forOthers()
    const first = await create(server, 'one')
    const other = await server.send('pro', 'POST', '/webhooks', body, { 'idempotency-key': 'one' })
    expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(other.body.data.secret).not.toBe(first.body.data.secret)
  })

  test('of a failed request is not stored', async () => {
    const server = await shared().forOthers()
    expect((await create(server, 'one', { endpoint_url: '' })).status).toBe(422)
    const path = '/webhooks/999/rotate-secret'
    const lost = await server.send('platinum', 'POST', path, undefined, { 'idempotency-key': 'one' })
    expect(lost.status).toBe(404)
    const made = await create(server, 'one')
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([201, null])
  })

  test('of a request beyond the plan’s maximum is rejected, and can be used once there is room', async () => {
    const server = await shared().forOthers()
    const send = (key: string) => server.send('pro', 'POST', '/webhooks', body, { 'idempotency-key': key })
    const { id } = (await send('a')).body.data
    for (const key of ['a', 'b', 'c']) expect((await send(key)).status).toBe(201)
    expect((await send('d')).status).toBe(403)
    await server.send('pro', 'DELETE', `/webhooks/${id}`)
    expect((await send('d')).status).toBe(201)
    expect((await send('a')).body.data.id).toBe(id)
  })

  test('expires after 24 hours, and its row is deleted with the next one', async () => {
    const server = await shared().forOthers()
    const first = await create(server, 'one')
    await create(server, 'two')
    server.wait(24 * hourMs - 1)
    expect((await create(server, 'one')).body).toEqual(first.body)
    server.wait(1)
    const again = await create(server, 'one')
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
    expect(again.body.data.id).not.toBe(first.body.data.id)
    const rows = await server.database.reader.selectFrom('idempotency_keys').selectAll().execute()
    expect(rows.map(({ key }) => key)).toEqual(['one'])
    // The response contains a secret, which must not be readable in the database.
    expect(JSON.stringify(rows)).not.toContain('whsec_')
  })

  test('whose response was encrypted with another secret is rejected, and nothing is done twice', async () => {
    const server = await shared().forOthers()
    await create(server, 'sealed')
    const answer = createSealer('the secret before').seal('{"body":{}}')
    await server.database.write((tx) =>
      tx.updateTable('idempotency_keys').set({ answer }).where('key', '=', 'sealed').execute(),
    )
    const again = await create(server, 'sealed')
    const text = 'The idempotency key was used, and its answer cannot be told again: send another key.'
    expect([again.status, again.body.errors]).toEqual([422, { idempotency_key: [text] }])
    expect(await count(server)).toBe(1)
  })

  test('prevents repeated rotations, tests and redeliveries too', async () => {
    const server = await shared().forOthers()
    const { id } = (await create(server, 'one')).body.data
    const twice = async (path: string, sent?: object) => {
      const headers = { 'idempotency-key': path }
      const [one, other] = [
        await server.send('platinum', 'POST', path, sent, headers),
        await server.send('platinum', 'POST', path, sent, headers),
      ]
      expect([path, other.status, other.body]).toEqual([path, one.status, one.body])
      expect([one, other].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
      return one.body.data
    }
    const sent = await twice(`/webhooks/${id}/test`)
    await twice(`/webhooks/${id}/rotate-secret`)
    await twice(`/webhooks/${id}/deliveries/${sent.id}/redeliver`)
    await twice(`/webhooks/${id}/redeliver`, { since: '2026-01-01T00:00:00Z' })
    const { body } = await server.send('platinum', 'GET', `/webhooks/${id}/deliveries`)
    expect(body.meta.total).toBe(1)
  })

  test('is 1 to 255 visible characters', async () => {
    const server = await shared().forOthers()
    const text = 'The idempotency key must be 1 to 255 visible ASCII characters.'
    for (const key of ['', 'a b', 'x'.repeat(256), 'é', 'a\tb']) {
      const { status, body } = await create(server, key)
      expect([key, status, body.errors]).toEqual([key, 422, { idempotency_key: [text] }])
    }
    let id = 0
    for (const key of ['x'.repeat(255), '!~"\\{}', '0']) {
      const made = await create(server, key)
      expect(made.status).toBe(201)
      id = made.body.data.id
    }
    // On other routes the header is ignored.
    const headers = { 'idempotency-key': 'a b' }
    expect((await server.send('platinum', 'GET', '/webhooks', undefined, headers)).status).toBe(200)
    const changed = await server.send('platinum', 'PATCH', `/webhooks/${id}`, { status: 'active' }, headers)
    expect(changed.status).toBe(200)
  })

  test('is deleted with its account', async () => {
    const server = await shared().forOthers()
    const clock = manualClock()
    const { id, key } = await server.database.write(async (tx) => {
      const draft = { email: 'gone@example.com', name: 'Gone', plan: 'pro' } as const
      const id = await createAccount(tx, clock, draft)
      return { id, key: await createKey(tx, clock, id, 'first') }
    })
    const remembered = () =>
      server.database.reader.selectFrom('idempotency_keys').selectAll().where('account_id', '=', id).execute()
    const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'one' }
    expect((await server.send('pro', 'POST', '/webhooks', body, headers)).status).toBe(201)
    expect(await remembered()).toHaveLength(1)
    await server.database.write((tx) => tx.deleteFrom('accounts').where('id', '=', id).execute())
    expect(await remembered()).toEqual([])
  })
})
