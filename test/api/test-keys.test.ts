// Tests test keys: they read the sample catalogue, whatever the instance holds, cost no quota, and are limited to five
// requests a second.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { createKey, issueKey, listKeys, revokeKey, rollKey } from '../../src/access/keys/keys.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { readSample } from '../../src/catalogue/sample.ts'
import { parseConfig } from '../../src/config.ts'
import { createEngine, describeEachEngine, type Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'
import { startTestServer, type TestServer } from './running-server.ts'

const { watches } = await readSample()

interface Owner {
  readonly id: string
  readonly live: string
  readonly test: string
}

/** A server with few watches of its own, and owners of keys. */
function openKeys(engine: Engine) {
  const start = async () => {
    const settings = await engine.settings('few')
    const server = await startTestServer(engine, { ...settings })
    const database = await openUnmigrated(parseConfig({ ...settings, LOG_LEVEL: 'silent' }))
    return { server, database }
  }
  const shared = share(start)
  let owners = 0

  async function addOwner(plan: PlanName): Promise<Owner> {
    const { database } = shared()
    owners += 1
    const email = `owner-${owners}@example.org`
    const clock = manualClock()
    return database.write(async (tx) => {
      const id = await createAccount(tx, clock, { email, name: 'Ada', plan })
      const live = await createKey(tx, clock, id, 'live')
      const { key } = await issueKey(tx, clock, id, { name: 'CI', isTest: true })
      return { id, live, test: key }
    })
  }

  /** Within the limit per second, because each call is a second after the one before. */
  async function ask(server: TestServer, key: string, path: string, init: RequestInit = {}) {
    server.wait(1_000)
    const headers = { authorization: `Bearer ${key}`, ...init.headers }
    const response = await fetch(`${server.baseUrl}/api/v1${path}`, { ...init, headers })
    const text = await response.text()
    return { status: response.status, headers: response.headers, text, body: text === '' ? {} : parse(text) }
  }

  return { start, shared, addOwner, ask }
}

describeEachEngine('a test key', (engine: Engine) => {
  const { shared, addOwner, ask } = openKeys(engine)

  test('reads the sample catalogue, whatever the instance holds, and every answer says so', async () => {
    const { server } = shared()
    const { live, test } = await addOwner('platinum')
    expect(test).toMatch(/^wd_test_[0-9A-Za-z]{36}$/)
    const own = await ask(server, live, '/watches')
    expect(own.body.meta.total).not.toBe(watches.length)
    expect(own.headers.get('x-test-mode')).toBeNull()
    const sample = await ask(server, test, '/watches')
    expect(sample.body.meta.total).toBe(watches.length)
    for (const [path, status] of [
      ['/watches/1', 200],
      ['/watches/1/prices', 200],
      ['/watches?page=x', 422],
      ['/watches/999999', 404],
      ['/brands/rolex', 200],
      ['/specs/dial_color', 200],
      ['/suggest?q=rol', 200],
      ['/changes?limit=1', 200],
      ['/usage', 200],
      ['/nowhere', 404],
    ] as const) {
      const { status: got, headers } = await ask(server, test, path)
      expect([path, got, headers.get('x-test-mode')]).toEqual([path, status, 'true'])
    }
    const { text, headers } = await ask(server, test, '/export')
    expect([text.trimEnd().split('\n').length, headers.get('x-test-mode')]).toEqual([watches.length, 'true'])
    const resolved = await ask(server, test, '/resolve', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ texts: ['Rolex Sub Date 116610LV full set'] }),
    })
    expect(resolved.text).toContain('"reference_number":"116610LV"')
  })

  test('is listed as one, stays one when it is rolled, and is revoked like any other', async () => {
    const { server, database } = shared()
    const { id, test } = await addOwner('free')
    const clock = manualClock()
    const [one] = (await listKeys(database.reader, clock, id)).filter(({ is_test }) => is_test)
    expect(one).toMatchObject({ name: 'CI', is_test: true, status: 'active', hint: test.slice(-4) })
    const rolled = await database.write((tx) => rollKey(tx, clock, id, one?.id ?? ''))
    expect([rolled.key.slice(0, 8), rolled.is_test]).toEqual(['wd_test_', true])
    expect((await ask(server, rolled.key, '/watches/1')).headers.get('x-test-mode')).toBe('true')
    await database.write((tx) => revokeKey(tx, clock, id, rolled.id))
    expect((await ask(server, rolled.key, '/watches/1')).status).toBe(401)
  })
})

// None of this depends on the database.
describe('a test key', () => {
  const { start, shared, addOwner, ask } = openKeys(createEngine())

  test('does not get the cached answer of a live key, nor the other way round', async () => {
    const { server } = shared()
    const { live, test } = await addOwner('pro')
    for (let round = 0; round < 3; round++) {
      for (const path of ['/watches?per_page=1', '/brands', '/specs']) {
        const [own, sample] = [await ask(server, live, path), await ask(server, test, path)]
        expect(own.text).not.toBe(sample.text)
        expect(own.headers.get('etag')).not.toBe(sample.headers.get('etag'))
        const held = { 'if-none-match': own.headers.get('etag') ?? '' }
        expect((await ask(server, test, path, { headers: held })).status).toBe(200)
      }
    }
  })

  test('costs no quota, and is answered when the quota of its account is used up', async () => {
    const { server } = shared()
    const { live, test } = await addOwner('free')
    const remaining = async (key: string) => {
      const { headers } = await ask(server, key, '/watches/1')
      return Number(headers.get('x-ratelimit-remaining'))
    }
    const before = await remaining(live)
    const whole = await remaining(test)
    for (let sent = 0; sent < 3; sent++) expect(await remaining(test)).toBe(whole)
    expect(await remaining(live)).toBe(before - 1)
    const { body } = await ask(server, live, '/usage')
    expect(body.data.used).toBe(2)
  })

  test('may send five requests a second', async () => {
    const { server } = shared()
    const { test } = await addOwner('free')
    server.wait(1_000)
    const send = () =>
      fetch(`${server.baseUrl}/api/v1/watches/1`, { headers: { authorization: `Bearer ${test}` } })
    const statuses: number[] = []
    for (let sent = 0; sent < 7; sent++) {
      const response = await send()
      await response.text()
      statuses.push(response.status)
      if (response.status === 429) {
        expect(response.headers.get('retry-after')).toBe('1')
        expect(response.headers.get('x-ratelimit-remaining')).toBe('0')
        expect(response.headers.get('x-test-mode')).toBe('true')
      }
    }
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429])
    server.wait(1_000)
    expect((await send()).status).toBe(200)
  })

  test('has the grants of its account, but no webhooks', async () => {
    const { server } = shared()
    const { test } = await addOwner('free')
    expect((await ask(server, test, '/changes')).status).toBe(403)
    const pro = await addOwner('pro')
    expect((await ask(server, pro.test, '/changes')).status).toBe(200)
    const { status, body } = await ask(server, pro.test, '/webhooks')
    expect([status, body]).toEqual([
      403,
      {
        message: 'Your plan does not include access to this resource.',
        errors: { key: ['Test keys have no webhooks: use a live key.'] },
      },
    ])
  })

  test('reads the same in every process and after every restart, cursors and ETags included', async () => {
    const { server } = shared()
    const { test } = await addOwner('pro')
    const other = await start()
    const clock = manualClock()
    const key = await other.database.write(async (tx) => {
      const id = await createAccount(tx, clock, { email: 'other@example.org', name: 'Bea', plan: 'pro' })
      return (await issueKey(tx, clock, id, { name: 'CI', isTest: true })).key
    })
    for (const path of ['/watches?per_page=2', '/changes?limit=2', '/brands?per_page=1']) {
      const [one, two] = [await ask(server, test, path), await ask(other.server, key, path)]
      const own = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, '')
      expect([own(two.text), two.headers.get('etag')]).toEqual([own(one.text), one.headers.get('etag')])
    }
  })
})

// biome-ignore lint/suspicious/noExplicitAny: the tests check what it contains
function parse(text: string): any {
  return text.startsWith('{"data"') || text.startsWith('{"message"') ? JSON.parse(text) : undefined
}
