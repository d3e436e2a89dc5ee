// Tests links in emails on both engines: confirming an address, choosing a password, and what an unauthenticated
// caller can learn.
import { describe, expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { systemClock } from '../../src/clock.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { manualClock } from '../manual-clock.ts'
import {
  linkIn,
  openHouse,
  outboxOf,
  password,
  type SessionHouse,
  tokenIn,
} from '../sign-in/session-visitor.ts'
import { openSmtpSink } from '../sign-in/smtp-sink.ts'

const chosen = 'another long password'
const confirmed = '/sign-in?confirmed=&next=%2Fdashboard%3Fwelcome'
const overMessage = 'This link is not good any more: please ask for a new one.'

describeEachEngine('links in emails', (engine) => {
  describe('a link to choose a password', () => {
    test('ends every session, is valid once, and confirms the address', async () => {
      const house = await openHouse(engine)
      const [ada, phone] = [await house.enter(), house.visitor()]
      await phone.signIn('ada@example.org')
      const token = await requestReset(house, 'Ada@example.org')
      expect((await house.visitor().post('/reset-password', { token, newPassword: chosen })).status).toBe(200)
      expect(await house.sessions.find(ada.headers)).toBeUndefined()
      expect(await house.sessions.find(phone.headers)).toBeUndefined()
      const again = await house.visitor().post('/reset-password', { token, newPassword: 'a third password' })
      expect(again).toMatchObject({ status: 400, body: { message: overMessage } })
      expect((await house.visitor().signIn('ada@example.org')).status).toBe(401)
      expect((await ada.signIn('ada@example.org', chosen)).body.user.emailVerified).toBe(true)
    })

    test('used at the same time on two processes works exactly once', async () => {
      const house = await openHouse(engine)
      const other = await house.another()
      await house.enter()
      const token = await requestReset(house, 'ada@example.org')
      const races = [house, other, house, other].map((one, at) =>
        one.visitor().post('/reset-password', { token, newPassword: `password number ${at}` }),
      )
      const statuses = (await Promise.all(races)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 200)).toHaveLength(1)
      expect(statuses.filter((status) => status === 400)).toHaveLength(3)
      const winner = statuses.indexOf(200)
      expect((await house.visitor().signIn('ada@example.org', `password number ${winner}`)).status).toBe(200)
    })

    test('invalidates the other links of the account, and so does a changed password', async () => {
      const house = await openHouse(engine)
      const ada = await house.enter()
      const first = await requestReset(house, 'ada@example.org')
      const second = await requestReset(house, 'ada@example.org')
      await ada.post('/reset-password', { token: second, newPassword: chosen })
      expect((await ada.post('/reset-password', { token: first, newPassword: password })).status).toBe(400)
      await ada.signIn('ada@example.org', chosen)
      const third = await requestReset(house, 'ada@example.org')
      const change = { currentPassword: chosen, newPassword: 'a third password' }
      expect((await ada.post('/change-password', change)).status).toBe(200)
      expect((await ada.post('/reset-password', { token: third, newPassword: password })).status).toBe(400)
    })

    test('expires after an hour', async () => {
      const clock = manualClock(new Date(Date.now() - 3_601_000).toISOString())
      const house = await openHouse(engine, { clock })
      await house.enter()
      const token = await requestReset(house, 'ada@example.org')
      const late = await house.visitor().post('/reset-password', { token, newPassword: chosen })
      expect(late).toMatchObject({ status: 400, body: { message: overMessage } })
    })

    test('is not used up by an invalid password', async () => {
      const house = await openHouse(engine)
      await house.enter()
      const token = await requestReset(house, 'ada@example.org')
      const short = await house.visitor().post('/reset-password', { token, newPassword: 'short' })
      expect(short.status).toBe(422)
      expect(short.body.errors).toEqual({ newPassword: ['The new password must be at least 10 characters.'] })
      expect((await house.visitor().post('/reset-password', { token, newPassword: chosen })).status).toBe(200)
    })

    test('is stored only as a digest', async () => {
      const house = await openHouse(engine)
      await house.enter()
      const token = await requestReset(house, 'ada@example.org')
      const rows = await house.database.reader.selectFrom('verifications').selectAll().execute()
      expect(rows).toHaveLength(1)
      expect(JSON.stringify(rows)).not.toContain(token)
    })

    test('gets the same response for every address, and an unknown address gets no email', async () => {
      const house = await openHouse(engine)
      await house.enter()
      const known = await house.visitor().post('/request-password-reset', { email: 'ada@example.org' })
      const unknown = await house.visitor().post('/request-password-reset', { email: 'eve@example.org' })
      expect(unknown.status).toBe(200)
      expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
      await house.sessions.idle()
      expect(await outboxOf(house)).toHaveLength(1)
    })
  })

  test('an invited account chooses its password with the link alone, whatever its email domain', async () => {
    const house = await openHouse(engine)
    const draft = { email: 'ada@intranet', name: 'Ada', plan: 'pro' } as const
    const id = await house.database.write((tx) => createAccount(tx, systemClock, draft))
    const link = await house.sessions.inviteLink(id)
    expect(link).toMatch(new RegExp(`^${house.baseUrl}/reset-password\\?token=[\\w-]{32}$`))
    const ada = house.visitor()
    const token = tokenIn(link)
    expect((await ada.post('/reset-password', { token, newPassword: chosen })).status).toBe(200)
    expect((await ada.signIn('Ada@Intranet', chosen)).status).toBe(200)
    expect(await house.sessions.find(ada.headers)).toMatchObject({
      accountId: id,
      plan: 'pro',
      emailVerified: true,
    })
    expect(await outboxOf(house)).toEqual([])
    await expect(house.sessions.inviteLink('nobody')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('an address is confirmed by its link, which does not sign in', async () => {
    const house = await openHouse(engine)
    const ada = house.visitor()
    await ada.signUp('ada@intranet')
    await ada.post('/send-verification-email', { email: 'ada@intranet' })
    await house.sessions.idle()
    const [message] = await outboxOf(house)
    const stranger = house.visitor()
    const answer = await stranger.follow(linkIn(message))
    expect(answer.status).toBe(302)
    expect(answer.headers.get('location')).toBe(confirmed)
    expect(stranger.cookies.size).toBe(0)
    expect((await house.sessions.find(ada.headers))?.emailVerified).toBe(true)
    await ada.post('/send-verification-email', { email: 'ada@intranet' })
    await ada.post('/send-verification-email', { email: 'nobody@intranet' })
    await house.sessions.idle()
    expect(await outboxOf(house)).toHaveLength(1)
  })

  test('a link that was tampered with confirms nothing, and redirects to no other site', async () => {
    const house = await openHouse(engine)
    const ada = await house.enter()
    await ada.post('/send-verification-email', { email: 'ada@example.org' })
    await house.sessions.idle()
    const token = tokenIn((await outboxOf(house))[0])
    for (const place of ['/dashboard', 'https://evil.example', '//evil.example', '/\\evil.example']) {
      const answer = await ada.get(`/verify-email?token=${token}x&callbackURL=${encodeURIComponent(place)}`)
      expect(answer.headers.get('location')).toBe('/sign-up/letter?expired')
    }
    expect((await house.sessions.find(ada.headers))?.emailVerified).toBe(false)
  })

  describe('with a mail server', () => {
    test('an account can sign in only after its address is confirmed', async () => {
      const sink = await openSmtpSink()
      const house = await openHouse(engine, { settings: { smtpUrl: sink.url } })
      const ada = house.visitor()
      const signedUp = await ada.signUp('ada@example.org')
      expect(signedUp.status).toBe(200)
      expect(ada.cookies.size).toBe(0)
      await house.sessions.idle()
      expect(sink.emails).toMatchObject([{ to: 'ada@example.org', subject: 'Confirm your email address' }])
      const early = await ada.signIn('ada@example.org')
      expect(early).toMatchObject({ status: 403, body: { code: 'EMAIL_NOT_VERIFIED' } })
      expect((await ada.signIn('ada@example.org', 'not the password')).status).toBe(401)
      await house.sessions.idle()
      expect(sink.emails).toHaveLength(2)
      expect((await ada.follow(linkIn(sink.emails[0]?.text))).headers.get('location')).toBe(confirmed)
      expect((await ada.signIn('ada@example.org')).status).toBe(200)
      expect((await house.sessions.find(ada.headers))?.emailVerified).toBe(true)
    })

    test('signing up with a taken address gets the same response as a new one, and its owner gets an email', async () => {
      const sink = await openSmtpSink()
      const house = await openHouse(engine, { settings: { smtpUrl: sink.url } })
      const fresh = await house.visitor().signUp('ada@example.org')
      await house.sessions.idle()
      const taken = await house.visitor().signUp('ada@example.org', { password: chosen })
      await house.sessions.idle()
      expect([taken.status, taken.body]).toEqual([fresh.status, fresh.body])
      expect([...taken.headers.keys()]).toEqual([...fresh.headers.keys()])
      expect(sink.emails.map(({ subject }) => subject)).toEqual([
        'Confirm your email address',
        'You have an account already',
      ])
      await house.visitor().follow(linkIn(sink.emails[0]?.text))
      expect((await house.visitor().signIn('ada@example.org', chosen)).status).toBe(401)
      expect((await house.visitor().signIn('ada@example.org')).status).toBe(200)
    })

    test('errors in the form are reported immediately', async () => {
      const sink = await openSmtpSink()
      const house = await openHouse(engine, { settings: { smtpUrl: sink.url } })
      expect((await house.visitor().signUp('ada', { password: 'short' })).body.errors).toEqual({
        email: ['The email must be a valid email address.'],
        password: ['The password must be at least 10 characters.'],
      })
    })

    test('a mail server that is down delays no response, and is logged without the link', async () => {
      const house = await openHouse(engine, { settings: { smtpUrl: 'smtp://127.0.0.1:1' } })
      const ada = house.visitor()
      expect((await ada.signUp('ada@example.org')).status).toBe(200)
      await house.sessions.idle()
      expect(house.logged()).toContain('ECONNREFUSED')
      expect(house.logged()).not.toMatch(/eyJ[\w-]+\./)
    })
  })
})

async function requestReset(house: SessionHouse, email: string): Promise<string> {
  await house.visitor().post('/request-password-reset', { email })
  await house.sessions.idle()
  const emails = (await outboxOf(house)).filter((message) => message.includes('Choose a new password'))
  expect(emails.at(-1)).toContain(`To: ${email.toLowerCase()}`)
  // Emails of the same moment have no order: the new one is the one whose link was not there before.
  const known = seen.get(house) ?? new Set()
  const token = emails.map(tokenIn).find((one) => !known.has(one)) ?? ''
  seen.set(house, known.add(token))
  return token
}

const seen = new WeakMap<SessionHouse, Set<string>>()
