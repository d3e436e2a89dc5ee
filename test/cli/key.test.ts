// Tests `watchdata key` as an operator runs it: keys are named by id or by their last characters, printed once, and
// never accepted on the command line.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { type Fixture, openFixture } from './cli-fixture.ts'
import { watchdata } from './command.ts'
import { openServedFixture } from './sample-fixture.ts'

const sqlite = createEngine()
const email = 'anna@example.com'

const openKeys = async () => withKey(await openFixture(sqlite))

async function withKey<T extends Fixture>(fixture: T): Promise<T & { readonly firstKey: string }> {
  return { ...fixture, firstKey: (await fixture.json('account', 'create', '--email', email)).key }
}

describe('key create', () => {
  test('prints only the key on stdout, and only once', async () => {
    const { run, settings } = await openKeys()
    const args = ['key', 'create', 'ANNA@example.com', '--name', 'ci']
    const { code, stdout, stderr } = await watchdata(args, settings)
    expect([code, stderr]).toEqual([0, expect.stringContaining('shown only now')])
    expect(stdout).toMatch(/^wd_live_\w{36}\n$/)
    const list = await run('key', 'list', email)
    expect(list.stdout).not.toContain('wd_live_')
    expect(list.stdout).toMatch(new RegExp(`…${stdout.trim().slice(-4)} +live +active .* ci$`, 'm'))
  })

  test('creates a test key on request, and lists it as one', async () => {
    const { run, json } = await openKeys()
    const made = await json('key', 'create', email, '--test')
    expect([made.key.slice(0, 8), made.is_test]).toEqual(['wd_test_', true])
    expect((await run('key', 'list', email)).stdout).toMatch(new RegExp(`…${made.hint} +test +active `))
    expect((await run('key', 'revoke', email, made.key)).code).not.toBe(0)
  })

  test('creates a key that expires after the given days', async () => {
    const { run, json, refusal } = await openKeys()
    const made = await json('key', 'create', email, '--expires', '3')
    expect(made).toMatchObject({ status: 'expiring', key: expect.stringMatching(/^wd_live_/) })
    const leftMs = Date.parse(made.expires_at) - Date.parse(made.created_at)
    expect(Math.abs(leftMs - 3 * 86_400_000)).toBeLessThan(10_000)
    expect(await refusal('key', 'create', email, '--expires', '0')).toContain('within the next 10 years')
    for (const days of ['x', '-1', '1.5', '']) {
      expect((await run('key', 'create', email, `--expires=${days}`)).code).toBe(2)
    }
  })
})

describe('key revoke', () => {
  test('revokes a key by its hint or id, everywhere within a second; a second call changes nothing', async () => {
    const { api, json, firstKey } = await withKey(await openServedFixture(sqlite))
    const status = async (key: string) =>
      (await fetch(`${api}/watches`, { headers: { authorization: `Bearer ${key}` } })).status
    const other = await json('key', 'create', email, '--name', 'other')
    expect([await status(firstKey), await status(other.key)]).toEqual([200, 200])
    const revoked = await json('key', 'revoke', email, firstKey.slice(-4))
    expect(revoked).toMatchObject({ name: 'first', status: 'revoked' })
    await expect.poll(() => status(firstKey)).toBe(401)
    expect(await json('key', 'revoke', email, revoked.id)).toEqual(revoked)
    expect(await status(other.key)).toBe(200)
  })

  test('finds no key of another account', async () => {
    const { json, refusal } = await openKeys()
    await json('account', 'create', '--email', 'ben@example.com')
    const [{ id, hint }] = await json('key', 'list', email)
    for (const named of [id, hint]) {
      expect(await refusal('key', 'revoke', 'ben@example.com', named)).toContain('has no key')
    }
    expect(await json('key', 'list', email)).toMatchObject([{ id, status: 'active' }])
  })
})

describe('key roll', () => {
  test('creates a new key and keeps the old one valid for the overlap', async () => {
    const { run, json, refusal } = await openKeys()
    const [old] = await json('key', 'list', email)
    const made = await json('key', 'roll', email, old.hint, '--overlap', '2')
    expect(made).toMatchObject({
      name: 'first',
      status: 'active',
      rolled: { id: old.id, status: 'expiring' },
    })
    const leftMs = Date.parse(made.rolled.expires_at) - Date.parse(made.created_at)
    expect(Math.abs(leftMs - 2 * 3_600_000)).toBeLessThan(10_000)
    expect(await json('key', 'roll', email, made.id, '--overlap', '0')).toMatchObject({
      rolled: { status: 'expired' },
    })
    expect(await refusal('key', 'roll', email, made.id)).toContain('cannot be rolled')
    expect(await refusal('key', 'roll', email, old.id, '--overlap', '169')).toContain('7 days')
    const { stdout, stderr } = await run('key', 'roll', email, old.id)
    expect([stdout, stderr]).toEqual([
      expect.stringMatching(/^wd_live_\w{36}\n$/),
      expect.stringContaining('is valid until 20'),
    ])
  })
})

describe('every command on keys', () => {
  const commands = [
    ['key', 'create'],
    ['key', 'list'],
    ['key', 'revoke'],
    ['key', 'roll'],
  ]

  test('rejects a whole key in place of its id, without repeating it', async () => {
    const { json, refusal, firstKey } = await openKeys()
    for (const name of ['revoke', 'roll']) {
      const told = await refusal('key', name, email, firstKey)
      expect(told).toContain('its id or its last four characters')
      expect(told).not.toContain(firstKey)
    }
    expect(await json('key', 'list', email)).toMatchObject([{ status: 'active' }])
  })

  test('takes --json and has help, and reports unknown accounts and keys', async () => {
    const { run, refusal } = await openKeys()
    for (const args of commands) {
      const { code, stdout } = await run(...args, '--help')
      expect([code, stdout]).toEqual([0, expect.stringContaining('--json')])
      const rest = args[1] === 'revoke' || args[1] === 'roll' ? ['zzzz'] : []
      expect(await refusal(...args, 'ben@example.com', ...rest)).toContain('no account ben@example.com')
      if (rest.length > 0) expect(await refusal(...args, email, ...rest)).toContain('has no key zzzz')
      expect((await run(...args)).code).toBe(2)
    }
  })
})
