// Tests changing the password and two-factor authentication on both engines.
import { describe, expect, test } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { codeOf, secretOf, wrongCode } from '../sign-in/authenticator.ts'
import { openHouse, password, type SessionHouse, type Visitor } from '../sign-in/session-visitor.ts'

const chosen = 'another long password'

describeEachEngine('passwords and second factors', (engine) => {
  describe('a changed password', () => {
    test('keeps the other sessions, or ends them on request', async () => {
      const house = await openHouse(engine)
      const [ada, phone] = [await house.enter(), house.visitor()]
      await phone.signIn('ada@example.org')
      const first = { currentPassword: password, newPassword: chosen }
      expect((await ada.post('/change-password', first)).status).toBe(200)
      expect(await house.sessions.find(phone.headers)).toBeDefined()
      const second = { currentPassword: chosen, newPassword: password, revokeOtherSessions: true }
      const answer = await ada.post('/change-password', second)
      expect(answer.status).toBe(200)
      expect(JSON.stringify(answer.body)).not.toContain('token')
      expect(await house.sessions.find(phone.headers)).toBeUndefined()
      expect(await house.sessions.find(ada.headers)).toBeDefined()
      expect((await phone.signIn('ada@example.org', chosen)).status).toBe(401)
      expect((await phone.signIn('ada@example.org')).status).toBe(200)
    })

    test('requires the current one', async () => {
      const house = await openHouse(engine)
      const ada = await house.enter()
      const answer = await ada.post('/change-password', { currentPassword: 'not it', newPassword: chosen })
      expect(answer.status).toBe(422)
      expect(answer.body.errors).toEqual({ currentPassword: ['The current password is wrong.'] })
      const nobody = await house.visitor().post('/change-password', {
        currentPassword: password,
        newPassword: chosen,
      })
      expect(nobody).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    })
  })

  describe('a second factor', () => {
    test('is on only after a valid code was entered', async () => {
      const house = await openHouse(engine)
      const ada = await house.enter()
      const refused = await ada.post('/two-factor/enable', { password: 'not it' })
      expect(refused.body.errors).toEqual({ password: ['The password is wrong.'] })
      const { body } = await ada.post('/two-factor/enable', { password })
      expect(body.totpURI).toMatch(/^otpauth:\/\/totp\/watchdata:ada.*&issuer=watchdata/)
      expect(body.backupCodes).toHaveLength(10)
      expect((await house.visitor().signIn('ada@example.org')).body.user).toBeDefined()
      const wrong = await ada.post('/two-factor/verify-totp', { code: wrongCode(body.totpURI) })
      expect(wrong).toMatchObject({ status: 401, body: { message: 'The code is wrong.' } })
      expect((await house.sessions.find(ada.headers))?.hasSecondFactor).toBe(false)
      const right = await ada.post('/two-factor/verify-totp', { code: codeOf(body.totpURI) })
      expect(right.status).toBe(200)
      expect((await house.sessions.find(ada.headers))?.hasSecondFactor).toBe(true)
    })

    test('is required after the password: a wrong code is rejected, the right one signs in', async () => {
      const house = await openHouse(engine)
      const { uri } = await withSecondFactor(house)
      const phone = house.visitor()
      const half = await phone.signIn('ada@example.org')
      expect(half.body).toEqual({ twoFactorRedirect: true, twoFactorMethods: ['totp'] })
      expect(phone.cookies.has('watchdata_session')).toBe(false)
      expect(await house.sessions.find(phone.headers)).toBeUndefined()
      expect((await phone.get('/list-sessions')).status).toBe(401)
      expect((await phone.post('/two-factor/verify-totp', { code: wrongCode(uri) })).status).toBe(401)
      expect((await phone.post('/two-factor/verify-totp', { code: codeOf(uri, 1) })).status).toBe(200)
      expect(await house.sessions.find(phone.headers)).toBeDefined()
    })

    test('its codes work once each, also if one is used several times at once', async () => {
      const house = await openHouse(engine)
      const other = await house.another()
      const { uri, usedCode } = await withSecondFactor(house)
      const visitors = [house, other, house, other].map((one) => one.visitor())
      for (const visitor of visitors) await visitor.signIn('ada@example.org')
      const again = await visitors[0]?.post('/two-factor/verify-totp', { code: usedCode })
      expect(again?.body.message).toBe(
        'The code is wrong, or was used already: please wait for the next one.',
      )
      const code = codeOf(uri, 1)
      const used = await Promise.all(visitors.map((one) => one.post('/two-factor/verify-totp', { code })))
      expect(used.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    })

    test('a code without the password first is rejected', async () => {
      const house = await openHouse(engine)
      const { uri } = await withSecondFactor(house)
      const answer = await house.visitor().post('/two-factor/verify-totp', { code: codeOf(uri) })
      expect(answer).toMatchObject({ status: 401, body: { message: 'Please sign in again.' } })
    })

    test('a backup code works once, also if it is used twice at once', async () => {
      const house = await openHouse(engine)
      const other = await house.another()
      const { backupCodes } = await withSecondFactor(house)
      const [first, second] = [house.visitor(), other.visitor()]
      await Promise.all([first.signIn('ada@example.org'), second.signIn('ada@example.org')])
      const used = await Promise.all(
        [first, second].map((one) => one.post('/two-factor/verify-backup-code', { code: backupCodes[0] })),
      )
      expect(used.filter(({ status }) => status === 200)).toHaveLength(1)
      const later = house.visitor()
      await later.signIn('ada@example.org')
      const again = await later.post('/two-factor/verify-backup-code', { code: backupCodes[0] })
      expect(again).toMatchObject({
        status: 401,
        body: { message: 'The code is wrong, or was used already.' },
      })
      const fresh = await later.post('/two-factor/verify-backup-code', { code: backupCodes[1] })
      expect(fresh.status).toBe(200)
    })

    test('after a few wrong codes the password is required again', async () => {
      const house = await openHouse(engine)
      const { uri } = await withSecondFactor(house)
      const eve = house.visitor()
      await eve.signIn('ada@example.org')
      for (let attempt = 0; attempt < 5; attempt++) {
        expect((await eve.post('/two-factor/verify-totp', { code: wrongCode(uri, attempt) })).status).toBe(
          401,
        )
      }
      const answer = await eve.post('/two-factor/verify-totp', { code: codeOf(uri, 1) })
      expect(answer.body.message).toBe('Too many wrong codes: please sign in again.')
      expect(await house.sessions.find(eve.headers)).toBeUndefined()
    })

    test('stays on after a password reset, and is turned off with the password', async () => {
      const house = await openHouse(engine)
      const { ada, uri } = await withSecondFactor(house)
      const account = await house.sessions.find(ada.headers)
      const link = await house.sessions.inviteLink(account?.accountId ?? '')
      const token = new URL(link).searchParams.get('token')
      await ada.post('/reset-password', { token, newPassword: chosen })
      expect((await ada.signIn('ada@example.org', chosen)).body.twoFactorRedirect).toBe(true)
      await ada.post('/two-factor/verify-totp', { code: codeOf(uri, 1) })
      expect((await ada.post('/two-factor/disable', { password: chosen })).status).toBe(200)
      expect((await house.sessions.find(ada.headers))?.hasSecondFactor).toBe(false)
      expect((await house.visitor().signIn('ada@example.org', chosen)).body.user).toBeDefined()
    })

    test('its secret and codes are encrypted at rest', async () => {
      const house = await openHouse(engine)
      const { uri, backupCodes } = await withSecondFactor(house)
      const rows = await house.database.reader
        .$extendTables<{ two_factors: { secret: string; backup_codes: string } }>()
        .selectFrom('two_factors')
        .selectAll()
        .execute()
      expect(rows).toHaveLength(1)
      const kept = JSON.stringify(rows)
      for (const secret of [secretOf(uri).toString(), ...backupCodes]) expect(kept).not.toContain(secret)
    })
  })
})

interface SecondFactor {
  readonly ada: Visitor
  readonly uri: string
  readonly backupCodes: string[]
  /** The code that enabled two-factor authentication. */
  readonly usedCode: string
}

async function withSecondFactor(house: SessionHouse): Promise<SecondFactor> {
  const ada = await house.enter()
  const { totpURI: uri, backupCodes } = (await ada.post('/two-factor/enable', { password })).body
  const usedCode = codeOf(uri)
  expect((await ada.post('/two-factor/verify-totp', { code: usedCode })).status).toBe(200)
  return { ada, uri, backupCodes, usedCode }
}
