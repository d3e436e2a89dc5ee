// Tests signing up, in and out as a browser without JavaScript does: where each form leads, its error messages, and
// what it does not reveal.
import { describe, expect, test } from 'vitest'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { codeOf, wrongCode } from '../sign-in/authenticator.ts'
import { linkIn, outboxOf, password } from '../sign-in/session-visitor.ts'
import { openSmtpSink } from '../sign-in/smtp-sink.ts'
import { newEmail, sharePages } from './page-server.ts'
import { Person } from './person.ts'
import { startSmallServer } from './running-server.ts'

const engine = createEngine()
const server = sharePages(engine)
const sink = share(openSmtpSink)
const withMail = sharePages(engine, async () => ({ SMTP_URL: sink().url }))

const emailsTo = (email: string) => sink().emails.filter(({ to }) => to === email)

describe('signing up', () => {
  test('signs in immediately without a mail server, and leads to the first key', async () => {
    const email = newEmail()
    const { baseUrl } = server()
    const ada = new Person(baseUrl)
    const form = await ada.get('/sign-up')
    expect(form.status).toBe(200)
    expect(form.text).toContain('At least 10 characters.')
    for (const name of ['name', 'email', 'password']) expect(form.text).toContain(`<label for="${name}">`)
    const made = await ada.signUp(email)
    expect([made.status, made.location]).toEqual([303, '/dashboard?welcome'])
    const dashboard = await ada.get('/dashboard?welcome')
    expect(dashboard.status).toBe(200)
    expect(startOf(dashboard.text)).toEqual({
      email,
      name: 'Ada',
      role: 'consumer',
      plan: 'free',
      baseUrl,
      sendsMail: false,
      hasExplorer: true,
    })
  })

  test('redirects back to the previous page', async () => {
    const email = newEmail()
    const ada = new Person(server().baseUrl)
    const form = await ada.get('/sign-up?next=%2Fdocs%2Ffilters')
    expect(form.text).toContain('name="next" value="/docs/filters"')
    expect(form.text).toContain('href="/sign-in?next=%2Fdocs%2Ffilters"')
    expect((await ada.signUp(email, { next: '/docs/filters' })).location).toBe('/docs/filters')
  })

  test('shows errors at each field, keeps what was typed, but never a password', async () => {
    const ada = new Person(server().baseUrl)
    const page = await ada.signUp('no address', { name: 'Ada Byron', password: 'too short' })
    expect([page.status, page.title]).toEqual([422, 'Error: Sign up · watchdata'])
    expect(page.text).toMatch(/id="email-error">The email must be a valid email address\.</)
    expect(page.text).toMatch(/id="password-error">The password must be at least 10 characters\.</)
    expect(page.text).toMatch(
      /<input id="email"[^>]* aria-invalid="true" aria-describedby="email-error" autofocus>/,
    )
    expect(page.text).toContain('value="Ada Byron"')
    expect(page.text).not.toContain('too short')
    expect(page.text.match(/ autofocus/g)).toHaveLength(1)
  })

  test('does not exist if it is closed, and no page links to it', async () => {
    const nobody = new Person((await startSmallServer(engine, { SIGN_UP: 'false' })).baseUrl)
    for (const page of [await nobody.get('/sign-up'), await nobody.signUp(newEmail())]) {
      expect([page.status, page.text]).toEqual([404, expect.stringContaining('Sign-up is closed')])
    }
    for (const path of ['/', '/sign-in']) expect((await nobody.get(path)).text).not.toContain('"/sign-up')
  })

  test('with a mail server asks for the link in the email, also for a taken address', async () => {
    const email = newEmail()
    const stranger = newEmail('eve')
    const ada = new Person(withMail().baseUrl)
    const fresh = await ada.signUp(email)
    expect([fresh.status, fresh.title]).toEqual([200, 'Check your email · watchdata'])
    expect(ada.cookies.size).toBe(0)
    await expect.poll(() => emailsTo(email).length).toBe(1)
    const taken = await new Person(withMail().baseUrl).signUp(email)
    expect(taken.text).toBe(fresh.text)
    await expect.poll(() => emailsTo(email).length).toBe(2)
    expect(linkIn(emailsTo(email)[1]?.text)).toBe(`${withMail().baseUrl}/sign-in`)

    const again = await ada.submit('/sign-up/letter', { email })
    const unknown = await ada.submit('/sign-up/letter', { email: stranger })
    expect(again.status).toBe(200)
    expect(unknown.text.replaceAll(stranger, email)).toBe(again.text)
    await expect.poll(() => emailsTo(email).length).toBe(3)
    expect(emailsTo(stranger)).toEqual([])

    const link = new URL(linkIn(emailsTo(email)[2]?.text))
    const followed = await ada.get(link.pathname + link.search)
    expect(followed.status).toBe(302)
    const signIn = await ada.get(followed.location ?? '')
    expect(signIn.text).toContain('Your email address is confirmed.')
    expect((await ada.signIn(email, { next: '/dashboard?welcome' })).location).toBe('/dashboard?welcome')
    expect(startOf((await ada.get('/dashboard')).text)).toMatchObject({ sendsMail: true })
  })

  test('an expired link of an email leads to a page that sends another', async () => {
    const ada = new Person(withMail().baseUrl)
    const { location } = await ada.get('/api/auth/verify-email?token=old')
    const page = await ada.get(location ?? '')
    expect(page.status).toBe(410)
    expect(page.text).toContain('action="/sign-up/letter"')
    const bad = await ada.submit('/sign-up/letter', { email: 'x' })
    expect([bad.status, bad.title]).toEqual([422, 'Error: Confirm your email address · watchdata'])
  })
})

describe('signing in', () => {
  test('leads to the dashboard, or back to the previous page', async () => {
    const email = newEmail()
    const { baseUrl } = server()
    await new Person(baseUrl).signUp(email)
    const ada = new Person(baseUrl)
    const form = await ada.get('/sign-in')
    expect(form.text).toMatch(/id="email"[^>]* autocomplete="username"/)
    expect(form.text).toMatch(/id="password"[^>]* autocomplete="current-password"/)
    expect((await ada.signIn(email)).location).toBe('/dashboard')
    const sent = await new Person(baseUrl).get('/dashboard/keys?id=1')
    expect([sent.status, sent.location]).toEqual([303, '/sign-in?next=%2Fdashboard%2Fkeys%3Fid%3D1'])
    const phone = new Person(baseUrl)
    expect((await phone.get(sent.location ?? '')).text).toContain('value="/dashboard/keys?id=1"')
    expect((await phone.signIn(email, { next: '/dashboard/keys?id=1' })).location).toBe(
      '/dashboard/keys?id=1',
    )
  })

  test('shows the same error for a wrong password and for an unknown address', async () => {
    const email = newEmail()
    const stranger = newEmail('eve')
    const { baseUrl } = server()
    await new Person(baseUrl).signUp(email)
    const eve = new Person(baseUrl)
    const wrong = await eve.signIn(email, { password: 'not the password' })
    const unknown = await eve.signIn(stranger, { password: 'not the password' })
    expect([wrong.status, wrong.title]).toEqual([422, 'Error: Sign in · watchdata'])
    expect(wrong.text).toContain('The email or the password is wrong.')
    expect(wrong.text).toContain(`value="${email}"`)
    expect(wrong.text).toMatch(/id="password"[^>]* aria-describedby="form-about" autofocus/)
    expect(wrong.text).not.toContain('not the password')
    expect(unknown.text.replaceAll(stranger, email)).toBe(wrong.text)
    expect(eve.cookies.size).toBe(0)
  })

  test('with an unconfirmed address says what to do', async () => {
    const email = newEmail()
    const ada = new Person(withMail().baseUrl)
    await ada.signUp(email)
    await expect.poll(() => emailsTo(email).length).toBe(1)
    const early = await ada.signIn(email)
    expect(early.status).toBe(403)
    expect(early.text).toContain(`another email to ${email}`)
    expect(early.text).toContain('action="/sign-up/letter"')
    await expect.poll(() => emailsTo(email).length).toBe(2)
  })

  test('too often says when to try again', async () => {
    const email = newEmail()
    const { baseUrl } = server()
    const eve = new Person(baseUrl)
    let page = await eve.signIn(email)
    for (let time = 0; time < 5; time++) page = await eve.signIn(email, { next: '/docs' })
    expect([page.status, page.title]).toEqual([429, 'Error: Too many attempts · watchdata'])
    const seconds = Number(page.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(0)
    expect(page.text).toContain(`Try again in ${seconds} seconds.`)
    expect(page.text).toContain('href="/sign-in?next=%2Fdocs"')
  })

  test('when already signed in redirects', async () => {
    const email = newEmail()
    const ada = new Person(server().baseUrl)
    await ada.signUp(email)
    for (const path of ['/sign-in', '/sign-up']) {
      expect((await ada.get(path)).location).toBe('/dashboard')
      expect((await ada.get(`${path}?next=/explore`)).location).toBe('/explore')
      expect((await ada.get(`${path}?next=//evil.example`)).location).toBe('/dashboard')
    }
  })
})

describe('a second factor', () => {
  test('is requested on a separate page, with a code that is valid once, or a backup code', async () => {
    const email = newEmail()
    const { baseUrl } = server()
    const { uri, backupCodes } = await withSecondFactor(baseUrl, email)
    const ada = new Person(baseUrl)
    const half = await ada.signIn(email, { next: '/docs' })
    expect([half.status, half.location]).toEqual([303, '/sign-in/code?next=%2Fdocs'])
    expect((await ada.get('/dashboard')).status).toBe(303)
    const form = await ada.get(half.location ?? '')
    expect(form.text).toMatch(/id="code"[^>]* autocomplete="one-time-code" required inputmode="numeric"/)
    const wrong = await ada.submit('/sign-in/code', { code: wrongCode(uri), next: '/docs' })
    expect([wrong.status, wrong.title]).toEqual([422, 'Error: Two-factor authentication · watchdata'])
    expect(wrong.text).toMatch(/id="code-error">The code is wrong\.</)
    expect((await ada.submit('/sign-in/code', {})).text).toContain('The code field is required.')
    const spaced = codeOf(uri, 1).replace(/^.../, '$& ')
    expect((await ada.submit('/sign-in/code', { code: spaced, next: '/docs' })).location).toBe('/docs')
    expect((await ada.get('/dashboard')).status).toBe(200)

    const phone = new Person(baseUrl)
    await phone.signIn(email)
    const used = await phone.submit('/sign-in/code', { code: spaced })
    expect([used.status, used.text]).toEqual([422, expect.stringContaining('was used already')])
    const backup = await phone.get('/sign-in/code?backup')
    expect(backup.text).toContain('Backup code')
    expect(backup.text).not.toContain('inputmode')
    const fields = { kind: 'backup', code: backupCodes[0] ?? '' }
    expect((await phone.submit('/sign-in/code', fields)).location).toBe('/dashboard')
    const third = new Person(baseUrl)
    await third.signIn(email)
    const again = await third.submit('/sign-in/code', fields)
    expect([again.status, again.text]).toEqual([422, expect.stringContaining('Backup code')])
  })

  test('without the password first leads back to the start', async () => {
    const { baseUrl } = server()
    const eve = new Person(baseUrl)
    expect((await eve.get('/sign-in/code?next=/docs')).location).toBe('/sign-in?next=%2Fdocs')
    const page = await eve.submit('/sign-in/code', { code: '123456' })
    expect([page.status, page.title]).toEqual([422, 'Error: Sign in · watchdata'])
    expect(page.text).toContain('Please sign in again.')
    expect(page.text).toContain('action="/sign-in"')
  })
})

describe('a forgotten password', () => {
  test('gets the same response for a known and an unknown address, and the page says where the link is', async () => {
    const email = newEmail()
    const stranger = newEmail('eve')
    const { baseUrl, dataDir } = server()
    await new Person(baseUrl).signUp(email)
    const eve = new Person(baseUrl)
    expect((await eve.get('/forgot-password')).text).toContain('This service has no mail server')
    const known = await eve.submit('/forgot-password', { email })
    const unknown = await eve.submit('/forgot-password', { email: stranger })
    expect([known.status, known.text]).toEqual([200, expect.stringContaining('outbox')])
    expect(unknown.text).toBe(known.text)
    const outbox = async () =>
      (await outboxOf({ config: { dataDir } })).filter((message) => message.includes(email))
    await expect.poll(outbox).toHaveLength(1)
    expect(JSON.stringify(await outboxOf({ config: { dataDir } }))).not.toContain(stranger)
    const bad = await eve.submit('/forgot-password', { email: 'x' })
    expect([bad.status, bad.title]).toEqual([422, 'Error: Forgot your password · watchdata'])

    const link = new URL(linkIn((await outbox())[0]))
    const token = link.searchParams.get('token') ?? ''
    const chosen = 'another long password'
    const saved = await eve.submit('/reset-password', { token, password: chosen })
    expect([saved.status, saved.text]).toEqual([200, expect.stringContaining('href="/sign-in"')])
    const dead = await eve.get(link.pathname + link.search)
    expect([dead.status, dead.text]).toEqual([410, expect.stringContaining('href="/forgot-password"')])
    expect((await eve.signIn(email, { password: chosen })).location).toBe('/dashboard')
  })

  test('with a mail server sends the link by email', async () => {
    const email = newEmail()
    const ada = new Person(withMail().baseUrl)
    await ada.signUp(email)
    await expect.poll(() => emailsTo(email).length).toBe(1)
    const asked = await ada.submit('/forgot-password', { email })
    expect(asked.text).toContain('Check your email')
    await expect.poll(() => emailsTo(email).length).toBe(2)
    expect(linkIn(emailsTo(email)[1]?.text)).toContain('/reset-password?token=')
  })
})

describe('signing out', () => {
  test('ends the session, clears what the tab stores, and requires a button', async () => {
    const email = newEmail()
    const ada = new Person(server().baseUrl)
    await ada.signUp(email)
    const kept = new Map(ada.cookies)
    const page = await ada.get('/sign-out')
    expect([page.status, page.text]).toEqual([200, expect.stringContaining('action="/sign-out"')])
    expect((await ada.get('/dashboard')).status).toBe(200)
    const out = await ada.submit('/sign-out')
    expect([out.status, out.location]).toEqual([303, '/'])
    expect(out.headers.get('clear-site-data')).toBe('"storage"')
    expect(ada.cookies.size).toBe(0)
    for (const [name, value] of kept) ada.cookies.set(name, value)
    expect((await ada.get('/dashboard')).status).toBe(303)
    ada.cookies.clear()
    expect((await ada.get('/sign-out')).location).toBe('/')
    expect((await ada.submit('/sign-out')).location).toBe('/')
  })
})

describe('the page of the dashboard', () => {
  test('exists for every view of the app, and says what works without JavaScript', async () => {
    const email = newEmail()
    const ada = new Person(server().baseUrl)
    await ada.signUp(email)
    for (const path of ['/dashboard', '/dashboard/keys', '/dashboard/webhooks/1/deliveries?a=b']) {
      const page = await ada.get(path)
      expect(page.status).toBe(200)
      expect(page.text).toContain('<div id="dashboard">')
      expect(page.text).toContain('class="skeleton" aria-hidden="true"')
      expect(page.text).toMatch(/<noscript>[\s\S]*needs JavaScript[\s\S]*href="\/explore"[\s\S]*<\/noscript>/)
      expect(page.text).toMatch(/<script type="module" src="\/assets\/dashboard-/)
    }
    expect((await ada.get('/dashboardx')).status).toBe(404)
  })
})

async function withSecondFactor(
  baseUrl: string,
  email: string,
): Promise<{ uri: string; backupCodes: string[] }> {
  const ada = new Person(baseUrl)
  await ada.signUp(email)
  const enabled = await ada.ask<{ totpURI: string; backupCodes: string[] }>(
    'POST',
    '/api/auth/two-factor/enable',
    { password },
  )
  const { totpURI: uri, backupCodes } = enabled
  await ada.ask('POST', '/api/auth/two-factor/verify-totp', { code: codeOf(uri) })
  return { uri, backupCodes }
}

function startOf(text: string): unknown {
  const [, json = ''] = /<script type="application\/json" id="start">([^<]*)<\/script>/.exec(text) ?? []
  return JSON.parse(json)
}
