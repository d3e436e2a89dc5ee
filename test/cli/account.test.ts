// Tests `watchdata account` and `usage` as an operator runs them: from an empty machine to a working key, and what
// each command prints, does and rejects.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { fixtureOf, openFixture } from './cli-fixture.ts'
import { command, watchdata } from './command.ts'
import { openServedFixture } from './sample-fixture.ts'
import { hasTerminal, typeInto } from './terminal.ts'
import { serveWarmly, warmly } from './warm-command.ts'

const sqlite = createEngine()
const served = share(() => openServedFixture(sqlite))

describe('account create', () => {
  test('works without a database; serve then loads the sample, and the key works', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const settings = { DATA_DIR: path.join(DATA_DIR, 'new') }
    const args = ['account', 'create', '--email', 'Anna@Example.com', '--name', 'Anna A.', '--plan', 'pro']
    const { code, stdout, stderr } = await watchdata([...args, '--json'], settings)
    expect([code, stderr]).toEqual([0, ''])
    const { account, key } = JSON.parse(stdout)
    expect(JSON.stringify({ account, key })).toBe(stdout.trim())
    expect(Object.keys(account)).toEqual(['id', 'email', 'name', 'plan', 'role', 'status', 'created_at'])
    expect(account).toMatchObject({
      email: 'anna@example.com',
      name: 'Anna A.',
      plan: 'pro',
      role: 'consumer',
    })
    const serving = await serveWarmly(settings)
    expect(serving.watches).toBeGreaterThan(300)
    for (const one of [key, serving.demo_key]) {
      const list = await fetch(`${serving.api}/watches`, { headers: { authorization: `Bearer ${one}` } })
      expect(list.status).toBe(200)
      expect(await list.json()).toMatchObject({ meta: { total: serving.watches } })
    }
  })

  test('with the email of the demo account does not prevent serve from starting', async () => {
    const { settings, json } = await openFixture(sqlite)
    await json('account', 'create', '--email', 'demo@localhost', '--plan', 'pro')
    expect(await serveWarmly(settings)).toMatchObject({ demo_key: expect.stringMatching(/^wd_live_/) })
  })

  test('while the service runs creates a key that works immediately', async () => {
    const { api, json } = served()
    const { key } = await json('account', 'create', '--email', 'new@example.com')
    const headers = { authorization: `Bearer ${key}` }
    expect((await fetch(`${api}/watches`, { headers })).status).toBe(200)
  })

  test('prints the key once, with a curl command to try it', async () => {
    const { run } = await openFixture(sqlite)
    const { code, stdout } = await run('account', 'create', '--email', 'op@example.com', '--operator')
    expect(code).toBe(0)
    expect(stdout).toContain('Created op@example.com on the Free plan, as an operator.')
    expect(stdout).toMatch(
      /curl -H 'Authorization: Bearer wd_live_\w{36}' 'http:\/\/127\.0\.0\.1:8080\/api\/v1\/watches/,
    )
    for (const words of [['list'], ['show', 'op@example.com']]) {
      expect((await run('account', ...words)).stdout).not.toContain('wd_live_')
    }
  })

  test('--operator prints a link to choose a password; other accounts get one only from invite', async () => {
    const { api, json } = served()
    const { invite } = await json('account', 'create', '--email', 'op@example.com', '--operator')
    const token = new URL(invite).searchParams.get('token') ?? ''
    const { origin } = new URL(api)
    const fields = new URLSearchParams({ token, password: 'correct horse battery' })
    const saved = await fetch(`${origin}/reset-password`, { method: 'POST', body: fields })
    expect(saved.status).toBe(200)
    const signedIn = await fetch(`${origin}/api/auth/sign-in/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: 'op@example.com', password: 'correct horse battery' }),
    })
    expect([signedIn.status, await signedIn.json()]).toMatchObject([
      200,
      { user: { email: 'op@example.com' } },
    ])
    expect(await json('account', 'create', '--email', 'uninvited@example.com')).not.toHaveProperty('invite')
    expect(await json('account', 'invite', 'uninvited@example.com')).toHaveProperty('invite')
  })

  test.each([
    ['a taken e-mail, in any case', ['--email', 'ANNA@example.com'], /already been taken/],
    ['an invalid e-mail', ['--email', 'anna'], /valid email address/],
    ['an unknown plan', ['--email', 'ben@example.com', '--plan', 'gold'], /gold.*free, pro, platinum/],
    ['a name with control characters', ['--email', 'b@example.com', '--name', 'a\u001bb'], /control/],
  ])('refuses %s', async (_what, args, words) => {
    const { refusal, json } = await openFixture(sqlite, 'anna@example.com')
    expect(await refusal('account', 'create', ...args)).toMatch(words)
    expect(await json('account', 'list')).toHaveLength(1)
  })

  test('without an e-mail is a usage error', async () => {
    const { run, settings } = await fixtureOf(sqlite, 'empty')
    expect((await run('account', 'create')).code).toBe(2)
    expect(existsSync(path.join(settings.DATA_DIR, 'watchdata.sqlite'))).toBe(false)
  })
})

describe('account', () => {
  test('list prints the accounts of all plans or of one, sorted by e-mail', async () => {
    const { json, run } = await openFixture(sqlite, 'carl@example.com', 'anna@example.com', 'ben@example.com')
    await json('account', 'set-plan', 'ben@example.com', 'pro')
    const emails = async (...args: string[]) =>
      (await json('account', 'list', ...args)).map(({ email }: { email: string }) => email.split('@')[0])
    expect(await emails()).toEqual(['anna', 'ben', 'carl'])
    expect(await emails('--plan', 'Pro')).toEqual(['ben'])
    expect(await emails('--after', 'ANNA@example.com')).toEqual(['ben', 'carl'])
    expect((await run('account', 'list')).stdout).toMatch(/^anna@example\.com +free +consumer +active/m)
    expect(await run('account', 'list', '--plan', 'platinum')).toEqual({
      code: 0,
      stdout: '',
      stderr: 'No accounts.\n',
    })
  })

  test('set-plan changes the plan, and show prints who changed it and when', async () => {
    const { json, run } = await openFixture(sqlite, 'anna@example.com')
    expect(await json('account', 'set-plan', 'Anna@Example.com', 'platinum')).toMatchObject({
      account: { email: 'anna@example.com', plan: 'platinum' },
    })
    expect((await run('account', 'set-plan', 'anna@example.com', 'platinum')).stdout).toContain('already')
    const { plan_changes } = await json('account', 'show', 'anna@example.com')
    const changed_by = expect.stringMatching(/^command line \(\w+\)$/)
    expect(plan_changes).toMatchObject([
      { old_plan: null, new_plan: 'free', changed_by },
      { old_plan: 'free', new_plan: 'platinum', changed_by },
    ])
    expect((await run('account', 'show', 'anna@example.com')).stdout).toMatch(/free → platinum +command line/)
  })

  test('show prints keys without secrets, the pending plan request and today’s usage', async () => {
    const { json, run, execute } = await openFixture(sqlite, 'anna@example.com')
    const { account } = await json('account', 'show', 'anna@example.com')
    execute(`INSERT INTO plan_requests (id, account_id, plan, asked_at)
      VALUES ('r', '${account.id}', 'pro', '2026-03-01T12:00:00.000Z')`)
    execute(`INSERT INTO daily_counts (subject, day, used) VALUES ('${account.id}', date('now'), 12)`)
    const shown = await json('account', 'show', 'anna@example.com')
    expect(shown).toMatchObject({
      today: { used: 12, limit: 50 },
      plan_request: { plan: 'pro', status: 'pending' },
      keys: [{ name: 'first', status: 'active', last_used_at: null }],
    })
    const { stdout } = await run('account', 'show', 'anna@example.com')
    for (const words of ['12 of 50 requests', 'Requested  Pro, since 2026', `…${shown.keys[0].hint}`]) {
      expect(stdout).toContain(words)
    }
  })

  test('suspend makes a running service reject the account’s keys, and --lift makes it accept them again', async () => {
    const { api, json } = served()
    const { key } = await json('account', 'create', '--email', 'suspended@example.com')
    const status = async () =>
      (await fetch(`${api}/watches`, { headers: { authorization: `Bearer ${key}` } })).status
    expect(await status()).toBe(200)
    expect(await json('account', 'suspend', 'suspended@example.com')).toMatchObject({
      account: { status: 'suspended' },
    })
    await expect.poll(status).toBe(401)
    await json('account', 'suspend', 'suspended@example.com', '--lift')
    expect(await status()).toBe(200)
  })

  test('requests lists pending plan requests; set-plan grants one, decline declines one', async () => {
    const { json, run, refusal, execute } = await openFixture(sqlite, 'anna@example.com', 'ben@example.com')
    expect(await json('account', 'requests')).toEqual([])
    execute(`INSERT INTO plan_requests (id, account_id, plan, asked_at)
      SELECT email, id, 'pro', '2026-03-01T12:00:00.000Z' FROM accounts`)
    expect(await json('account', 'requests')).toMatchObject([
      { email: 'anna@example.com', plan: 'free', asked_plan: 'pro' },
      { email: 'ben@example.com' },
    ])
    expect((await run('account', 'requests')).stdout).toMatch(/anna@example\.com +free +pro/)
    await json('account', 'set-plan', 'anna@example.com', 'pro')
    expect(await json('account', 'decline', 'ben@example.com')).toMatchObject({
      account: { plan: 'free' },
      plan_request: { plan: 'pro', status: 'declined' },
    })
    expect(await json('account', 'requests')).toEqual([])
    expect(await refusal('account', 'decline', 'ben@example.com')).toContain('no open plan request')
  })
})

describe('account delete', () => {
  test('requires --yes without a terminal', async () => {
    const { json, refusal } = await openFixture(sqlite, 'anna@example.com')
    expect(await refusal('account', 'delete', 'anna@example.com')).toContain('--yes')
    expect(await json('account', 'delete', 'ANNA@example.com', '--yes')).toMatchObject({
      deleted: { email: 'anna@example.com' },
    })
    expect(await json('account', 'list')).toEqual([])
  })

  test.skipIf(!hasTerminal)('on a terminal requires typing the e-mail', async () => {
    const { json, settings } = await openFixture(sqlite, 'anna@example.com')
    const type = (input: string) => typeInto(`${command} account delete anna@example.com`, settings, input)
    const doubtful = await type('yes\n')
    expect([doubtful.status, doubtful.stdout]).toEqual([1, expect.stringContaining('nothing is deleted')])
    expect((await type('\u0004')).status).toBe(1)
    expect(await json('account', 'list')).toHaveLength(1)
    expect((await type('Anna@example.com\n')).status).toBe(0)
    expect(await json('account', 'list')).toEqual([])
  })
})

describe('usage', () => {
  test('prints 30 days and the limit of the plan, or of PLAN_LIMITS', async () => {
    const { json, run, execute, settings } = await openFixture(sqlite, 'anna@example.com')
    execute(`INSERT INTO daily_counts (subject, day, used)
      SELECT id, date('now'), 60 FROM accounts UNION ALL SELECT id, date('now', '-1 day'), 30 FROM accounts`)
    const usage = await json('usage', 'anna@example.com')
    expect(usage).toMatchObject({
      email: 'anna@example.com',
      plan: 'free',
      limit: 50,
      used: 60,
      remaining: 0,
    })
    expect(usage.days).toHaveLength(30)
    expect(usage.days.slice(-3).map(({ used }: { used: number }) => used)).toEqual([0, 30, 60])
    const { stdout } = await run('usage', 'Anna@Example.com')
    expect(stdout).toContain('60 of 50 requests today, 0 left')
    expect(stdout).toMatch(/ 30 {2}█{20}\n\S+ +60 {2}█{40}\n$/)
    const raised = await warmly(['usage', 'anna@example.com', '--json'], {
      ...settings,
      PLAN_LIMITS: 'free=100',
    })
    expect(JSON.parse(raised.stdout)).toMatchObject({ limit: 100, remaining: 40 })
  })
})

describe('every command on an account', () => {
  const commands = [
    ['account', 'show', 'EMAIL'],
    ['account', 'set-plan', 'EMAIL', 'pro'],
    ['account', 'suspend', 'EMAIL'],
    ['account', 'delete', 'EMAIL', '--yes'],
    ['account', 'decline', 'EMAIL'],
    ['usage', 'EMAIL'],
  ]

  test('reports an unknown e-mail in one sentence, and repeats no secret', async () => {
    const { refusal } = await openFixture(sqlite, 'anna@example.com')
    for (const args of commands) {
      const named = (email: string) => args.map((one) => (one === 'EMAIL' ? email : one))
      expect(await refusal(...named('ben@example.com'))).toContain('no account ben@example.com')
    }
    expect(await refusal('usage', `wd_live_${'a'.repeat(36)}`)).not.toContain('aaaa')
    expect(await refusal('account', 'set-plan', 'anna@example.com', 'gold')).toContain('no plan gold')
  })

  test('takes --json and has help', async () => {
    const names = [...commands, ['account', 'create'], ['account', 'list'], ['account', 'requests']]
    for (const args of names) {
      const { code, stdout } = await warmly([...args.filter((one) => /^[a-z]/.test(one)), '--help'])
      expect([code, stdout]).toEqual([0, expect.stringContaining('--json')])
    }
    expect((await warmly(['account'])).code).toBe(2)
    expect((await warmly(['account', 'shwo'])).stderr).toContain('Did you mean show?')
  })

  test('creates no database, and rejects one of an older version', async () => {
    const { DATA_DIR } = await sqlite.settings()
    const dataDir = path.join(DATA_DIR, 'new')
    const missing = await warmly(['account', 'list'], { DATA_DIR: dataDir })
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('DATA_DIR')])
    expect(existsSync(dataDir)).toBe(false)
    const { refusal, execute } = await openFixture(sqlite, 'anna@example.com')
    execute('DELETE FROM migrations WHERE number = (SELECT max(number) FROM migrations)')
    expect(await refusal('account', 'list')).toContain('watchdata migrate')
  })
})
