// Tests sign-in on both engines: sessions begin, are listed and ended, and stop immediately where they must.
import { describe, expect, test } from 'vitest'
import { setStatus } from '../../src/access/accounts/accounts.ts'
import { removeExpired } from '../../src/access/sign-in/remove-expired.ts'
import { type Clock, systemClock } from '../../src/clock.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { manualClock } from '../manual-clock.ts'
import { openHouse, password, type SessionHouse, type Visitor } from '../sign-in/session-visitor.ts'

const wrong = { message: 'The email or the password is wrong.', code: 'INVALID_EMAIL_OR_PASSWORD' }

describeEachEngine('sessions', (engine) => {
  test('signing up begins a session, signing out ends it', async () => {
    const house = await openHouse(engine)
    const ada = house.visitor()
    const answer = await ada.signUp('Ada@Example.org')
    expect(answer.status).toBe(200)
    expect(answer.body.user).toMatchObject({ email: 'ada@example.org', name: 'Ada', plan: 'free' })
    expect(JSON.stringify(answer.body)).not.toContain('token')
    expect(await house.sessions.find(ada.headers)).toMatchObject({
      accountId: answer.body.user.id,
      email: 'ada@example.org',
      name: 'Ada',
      role: 'consumer',
      plan: 'free',
      emailVerified: false,
      hasSecondFactor: false,
    })
    const kept = ada.headers
    expect((await ada.post('/sign-out')).status).toBe(200)
    expect(ada.cookies.size).toBe(0)
    expect(await house.sessions.find(kept)).toBeUndefined()
  })

  test('an account created by sign-up equals one created by the command, with its first plan recorded', async () => {
    const house = await openHouse(engine)
    const { body } = await house.visitor().signUp('ada@example.org')
    expect(body.user.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    const changes = await house.database.reader
      .selectFrom('plan_changes')
      .select(['account_id', 'old_plan', 'new_plan'])
      .execute()
    expect(changes).toEqual([{ account_id: body.user.id, old_plan: null, new_plan: 'free' }])
  })

  test('plan, role and status in a form are ignored', async () => {
    const house = await openHouse(engine)
    const ada = house.visitor()
    const wanted = {
      plan: 'platinum',
      role: 'operator',
      status: 'suspended',
      emailVerified: true,
      id: 'mine',
    }
    expect((await ada.signUp('ada@example.org', wanted)).status).toBe(200)
    expect((await ada.post('/update-user', { name: 'Countess', ...wanted })).status).toBe(200)
    expect(await house.sessions.find(ada.headers)).toMatchObject({
      name: 'Countess',
      plan: 'free',
      role: 'consumer',
      emailVerified: false,
    })
  })

  test('a known and an unknown address are rejected with the same message', async () => {
    const house = await openHouse(engine)
    await house.enter()
    for (const email of ['ada@example.org', 'nobody@example.org', 'nobody@localhost']) {
      const { status, body, headers } = await house.visitor().signIn(email, 'not the password')
      expect({ status, body }).toEqual({ status: 401, body: wrong })
      expect(headers.getSetCookie()).toEqual([])
    }
  })

  test('without a mail server, signing up with a taken address is rejected as taken', async () => {
    const house = await openHouse(engine)
    await house.enter()
    const { status, body } = await house.visitor().signUp('ADA@example.org')
    expect(status).toBe(422)
    expect(body).toEqual({
      message: 'The given data was invalid.',
      errors: { email: ['The email has already been taken.'] },
    })
  })

  test('several sign-ups with one address at the same time create one account', async () => {
    const house = await openHouse(engine)
    const other = await house.another()
    // As many as one email may try in a minute, over all processes.
    const all = [house, other, house].map((one) => one.visitor().signUp('ada@example.org'))
    const statuses = (await Promise.all(all)).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 422, 422])
  })

  test('signing in replaces an earlier cookie, which becomes invalid', async () => {
    const house = await openHouse(engine)
    const ada = await house.enter()
    const before = ada.headers
    await ada.signIn('ada@example.org')
    expect(ada.headers.get('cookie')).not.toBe(before.get('cookie'))
    const eve = house.visitor()
    eve.cookies.set('watchdata_session', 'fixed.by-eve')
    expect((await eve.signIn('ada@example.org')).status).toBe(200)
    expect(eve.cookies.get('watchdata_session')).not.toContain('fixed')
    const forged = new Headers({ cookie: 'watchdata_session=fixed.by-eve' })
    expect(await house.sessions.find(forged)).toBeUndefined()
  })

  test('sessions are listed without their tokens; one is ended, then all others', async () => {
    const house = await openHouse(engine)
    const [ada, phone, work] = [await house.enter(), house.visitor(), house.visitor({ 'user-agent': 'work' })]
    await phone.signIn('ada@example.org')
    await work.signIn('ada@example.org')
    const { body } = await ada.get('/list-sessions')
    expect(body).toHaveLength(3)
    expect(body.filter((session: { current: boolean }) => session.current)).toHaveLength(1)
    expect(JSON.stringify(body)).not.toContain('token')
    const atWork = body.find((session: { userAgent: string }) => session.userAgent === 'work')
    expect(atWork).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      expiresAt: expect.any(String),
      ipAddress: '127.0.0.1',
      userAgent: 'work',
      current: false,
    })
    expect((await ada.post('/revoke-session', { id: atWork.id })).status).toBe(200)
    expect(await house.sessions.find(work.headers)).toBeUndefined()
    expect(await house.sessions.find(phone.headers)).toBeDefined()
    expect((await ada.post('/revoke-other-sessions')).status).toBe(200)
    expect(await house.sessions.find(phone.headers)).toBeUndefined()
    expect(await house.sessions.find(ada.headers)).toBeDefined()
  })

  test("an account cannot end or see another account's sessions", async () => {
    const house = await openHouse(engine)
    const [ada, eve] = [await house.enter(), await house.enter('eve@example.org')]
    const own = await house.sessions.find(ada.headers)
    await eve.post('/revoke-session', { id: own?.sessionId })
    expect(await house.sessions.find(ada.headers)).toBeDefined()
    const listed = (await eve.get('/list-sessions')).body.map(({ id }: { id: string }) => id)
    expect(listed).not.toContain(own?.sessionId)
    expect((await house.visitor().get('/list-sessions')).status).toBe(401)
  })

  test('an account keeps its newest sessions only', async () => {
    const house = await openHouse(engine)
    const accountId = await idOf(house, await house.enter())
    await house.sessions.idle()
    await addSessions(house, accountId, 60)
    const phone = house.visitor()
    await phone.signIn('ada@example.org')
    await house.sessions.idle()
    expect(await house.sessions.find(phone.headers)).toBeDefined()
    expect((await phone.get('/list-sessions')).body).toHaveLength(50)
  })

  test('expired sessions and links are deleted by the hourly job, and no others', async () => {
    const house = await openHouse(engine)
    const { database } = house
    const ada = await house.enter()
    await house.sessions.inviteLink(await idOf(house, ada))
    await house.sessions.idle()
    const remove = async (clock: Clock) => {
      await removeExpired(database, clock, new AbortController().signal)
      const sessions = await database.reader.selectFrom('sessions').select('id').execute()
      const links = await database.reader.selectFrom('verifications').select('id').execute()
      return [sessions.length > 0, links.length > 0]
    }
    expect(await remove(systemClock)).toEqual([true, true])
    // A clock that is ahead makes nothing expire.
    expect(await remove(manualClock('2999-01-01T00:00:00.000Z'))).toEqual([true, true])
    const past = { expires_at: '2026-01-01T00:00:00.000Z' }
    await database.write(async (tx) => {
      await tx.updateTable('sessions').set(past).execute()
      await tx.updateTable('verifications').set(past).execute()
    })
    expect(await remove(systemClock)).toEqual([false, false])
  })

  test('a session in use is renewed after a day, and an expired one is gone', async () => {
    const house = await openHouse(engine)
    const ada = await house.enter()
    const days = (count: number) => new Date(Date.now() + count * 86_400_000).toISOString()
    const setEnd = (expires_at: string) =>
      house.database.write((tx) => tx.updateTable('sessions').set({ expires_at }).execute())
    const end = async () =>
      (await house.database.reader.selectFrom('sessions').select('expires_at').executeTakeFirst())?.expires_at
    await setEnd(days(29.5))
    expect((await ada.get('/get-session')).headers.getSetCookie()).toEqual([])
    const soon = days(28)
    await setEnd(soon)
    await house.sessions.find(ada.headers)
    expect(await end()).toBe(soon)
    const renewed = await ada.get('/get-session')
    expect(renewed.body.user.email).toBe('ada@example.org')
    expect(renewed.headers.getSetCookie().join()).toMatch(/watchdata_session=.*Max-Age=2592000/)
    expect((await end()) ?? '').toMatch(new RegExp(`^${days(30).slice(0, 10)}`))
    await setEnd(days(-1))
    expect(await house.sessions.find(ada.headers)).toBeUndefined()
    expect((await ada.get('/get-session')).body).toBeNull()
  })

  test('a suspended account is rejected everywhere immediately, and accepted again when it is lifted', async () => {
    const house = await openHouse(engine)
    const ada = await house.enter()
    const id = await idOf(house, ada)
    await house.database.write((tx) => setStatus(tx, id, 'suspended'))
    expect(await house.sessions.find(ada.headers)).toBeUndefined()
    expect((await ada.get('/list-sessions')).status).toBe(401)
    const refused = await house.visitor().signIn('ada@example.org')
    expect(refused.status).toBe(403)
    expect(refused.body.message).toBe('This account is suspended.')
    expect((await house.visitor().signIn('ada@example.org', 'not the password')).body).toEqual(wrong)
    await house.database.write((tx) => setStatus(tx, id, 'active'))
    expect((await house.visitor().signIn('ada@example.org')).status).toBe(200)
  })

  test('a deleted account is deleted with its sessions and its password', async () => {
    const house = await openHouse(engine)
    const ada = await house.enter()
    const id = await idOf(house, ada)
    await house.database.write((tx) => tx.deleteFrom('accounts').where('id', '=', id).execute())
    expect(await house.sessions.find(ada.headers)).toBeUndefined()
    expect((await house.visitor().signIn('ada@example.org')).status).toBe(401)
    const left = await house.database.reader.selectFrom('credentials').select('id').execute()
    expect(left).toEqual([])
  })

  test('processes on one database share a secret, unless one is set', async () => {
    const house = await openHouse(engine)
    const other = await house.another()
    const ada = house.visitor()
    const [made] = await Promise.all([
      ada.signUp('ada@example.org'),
      other.visitor().signIn('eve@example.org'),
    ])
    expect(made.status).toBe(200)
    expect(await other.sessions.find(ada.headers)).toBeDefined()
    const { reader } = house.database
    const kept = await reader.selectFrom('secrets').select('value').executeTakeFirstOrThrow()
    expect(Buffer.from(kept.value, 'base64url')).toHaveLength(32)

    const own = await openHouse(engine, { settings: { sessionSecret: 's'.repeat(40) } })
    await own.enter()
    expect(await own.database.reader.selectFrom('secrets').select('value').execute()).toEqual([])
    expect(await own.sessions.find(ada.headers)).toBeUndefined()
  })

  describe('the first operator', () => {
    const draft = { email: 'op@localhost', name: 'Op', password }

    test('is created once, signed in immediately, and can sign in again', async () => {
      const house = await openHouse(engine)
      const other = await house.another()
      const races = [house, other, house].map(({ sessions }, at) =>
        sessions.createFirstOperator({ ...draft, email: `op${at}@localhost` }),
      )
      const made = (await Promise.all(races)).filter((answer) => answer !== undefined)
      expect(made).toHaveLength(1)
      const [cookie = ''] = made[0]?.headers.getSetCookie() ?? []
      const headers = new Headers({ cookie: cookie.split(';')[0] ?? '' })
      const signedIn = await house.sessions.find(headers)
      expect(signedIn).toMatchObject({ role: 'operator', emailVerified: true })
      expect((await house.visitor().signIn(signedIn?.email ?? '')).status).toBe(200)
      expect(await other.sessions.createFirstOperator(draft)).toBeUndefined()
    })

    test('gets error messages about invalid input', async () => {
      const house = await openHouse(engine)
      await house.enter()
      const short = house.sessions.createFirstOperator({ email: 'x', name: '', password: 'short' })
      await expect(short).rejects.toMatchObject({
        details: {
          errors: {
            email: ['The email must be a valid email address.'],
            name: ['The name field is required.'],
            password: ['The password must be at least 10 characters.'],
          },
        },
      })
      const taken = house.sessions.createFirstOperator({ ...draft, email: 'ada@example.org' })
      await expect(taken).rejects.toMatchObject({
        details: { errors: { email: ['The email has already been taken.'] } },
      })
      expect((await house.sessions.createFirstOperator(draft))?.status).toBe(200)
    })
  })
})

async function idOf({ sessions }: SessionHouse, visitor: Visitor): Promise<string> {
  return (await sessions.find(visitor.headers))?.accountId ?? ''
}

async function addSessions({ database }: SessionHouse, accountId: string, count: number): Promise<void> {
  const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day)).toISOString()
  const rows = Array.from({ length: count }, (_, day) => ({
    id: `old-${day}`,
    account_id: accountId,
    token: `old-${day}`,
    created_at: at(day),
    updated_at: at(day),
    expires_at: '2099-01-01T00:00:00.000Z',
  }))
  await database.write((tx) => tx.insertInto('sessions').values(rows).execute())
}
