// Tests signing in on the pages: two-factor authentication, a lost password, ending a session.
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeOf, wrongCode } from '../sign-in/authenticator.ts'
import { linkIn } from '../sign-in/session-visitor.ts'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { password, until } from './house.ts'
import { Person } from './person.ts'

describeHouse('signing in', (here) => {
  async function newPerson(email: string): Promise<Person> {
    const person = new Person(here().house.baseUrl)
    await person.signUp(email, 'Ada Lovelace', password)
    return person
  }

  async function signIn(page: Page, email: string, secret = password): Promise<void> {
    await page.goto(`${here().house.baseUrl}/sign-in`)
    await signInHere(page, email, secret)
  }

  test('asks for an authenticator code once two-factor authentication is on', async () => {
    const email = 'factor@example.com'
    const { house, browser } = here()
    const { page } = await visit(browser, `${house.baseUrl}/dashboard/settings`, {}, await newPerson(email))
    await page.getByRole('button', { name: 'Turn it on' }).click()
    await page.getByLabel('Your password').fill(password)
    await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
    const dialog = page.getByRole('dialog', { name: 'Scan this with your authenticator' })
    await dialog.locator('svg').waitFor()
    const secret = (await dialog.locator('.secret code').innerText()).replaceAll(' ', '')
    const uri = `otpauth://totp/watchdata:${email}?secret=${secret}&issuer=watchdata`
    await page.getByLabel('The code it shows now').fill(codeOf(uri))
    await page.keyboard.press('Enter')
    const codes = page.getByRole('dialog', { name: 'Your backup codes' })
    await codes.waitFor()
    const [backupCode = ''] = await codes.locator('li code').allInnerTexts()
    // Closing asks for confirmation: the codes cannot be shown again.
    await page.keyboard.press('Escape')
    await page.getByText(/You have not saved the codes/).waitFor()
    await codes.getByRole('button', { name: /^Close/ }).click()
    await page.getByText('On', { exact: true }).waitFor()

    const phone = await visit(browser, `${house.baseUrl}/sign-in`)
    await signInHere(phone.page, email)
    await phone.page.waitForURL(/\/sign-in\/code/)
    await phone.page.getByLabel('Code').fill(wrongCode(uri))
    await phone.page.getByRole('button', { name: 'Continue' }).click()
    await phone.page
      .getByText(/code is wrong/)
      .first()
      .waitFor()
    // The code that enabled it is used up; the next code is accepted early.
    await phone.page.getByLabel('Code').fill(codeOf(uri, 1))
    await phone.page.getByRole('button', { name: 'Continue' }).click()
    await phone.page.waitForURL(/\/dashboard/)

    const tablet = await visit(browser, `${house.baseUrl}/sign-in`)
    await signInHere(tablet.page, email)
    await tablet.page.getByRole('link', { name: 'Use a backup code' }).click()
    await tablet.page.getByLabel('Backup code').fill(backupCode)
    await tablet.page.getByRole('button', { name: 'Continue' }).click()
    await tablet.page.waitForURL(/\/dashboard/)
  })

  test('with a lost password works through the link in the email, which is valid once', async () => {
    const email = 'lost@example.com'
    const { house, browser } = here()
    await newPerson(email)
    const { page } = await visit(browser, `${house.baseUrl}/sign-in`)
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await page.getByLabel('Email').fill(email)
    await page.getByRole('button', { name: 'Request link' }).click()
    const link = await emailTo(email)
    await page.goto(link)
    await page.getByLabel('Password').fill('another good password')
    await page.getByRole('button', { name: 'Save password' }).click()
    await page.getByRole('heading', { name: /saved/ }).waitFor()
    expect((await page.goto(link))?.status()).toBe(410)
    await signIn(page, email)
    await page.getByText('The email or the password is wrong.').waitFor()
    await signIn(page, email, 'another good password')
    await page.waitForURL(/\/dashboard/)
  })

  test('elsewhere can be ended; signing in again there returns to the same page', async () => {
    const email = 'sessions@example.com'
    const { house, browser } = here()
    const person = await newPerson(email)
    const away = await visit(browser, `${house.baseUrl}/sign-in`)
    await signInHere(away.page, email)
    await away.page.waitForURL(/\/dashboard/)
    const otherVisit = await visit(browser, `${house.baseUrl}/dashboard/settings`, {}, person)
    await otherVisit.page.getByRole('button', { name: 'End all others' }).click()
    await otherVisit.page.getByRole('dialog').getByRole('button', { name: 'End all others' }).click()
    await until(async () => (await person.ask('GET', '/api/auth/list-sessions')).length === 1)
    await away.page.goto(`${house.baseUrl}/dashboard/keys`)
    await away.page.waitForURL(/\/sign-in\?next=%2Fdashboard%2Fkeys/)
    await signInHere(away.page, email)
    await away.page.waitForURL(`${house.baseUrl}/dashboard/keys`)
    await otherVisit.page.getByRole('button', { name: 'Sign out' }).click()
    await otherVisit.page.waitForURL(`${house.baseUrl}/`)
    await otherVisit.page.goto(`${house.baseUrl}/dashboard`)
    await otherVisit.page.waitForURL(/\/sign-in/)
  })

  async function signInHere(page: Page, email: string, secret = password): Promise<void> {
    await page.getByLabel('Email').fill(email)
    await page.getByLabel('Password').fill(secret)
    await page.getByRole('button', { name: 'Sign in' }).click()
  }

  /** Returns the link in the newest email. Without a mail server, emails are written to the outbox. */
  async function emailTo(email: string): Promise<string> {
    const outbox = path.join(here().house.dataDir, 'outbox')
    let link = ''
    await until(async () => {
      for (const name of await readdir(outbox).catch(() => [])) {
        const message = await readFile(path.join(outbox, name), 'utf8')
        if (message.includes(email)) link = linkIn(message)
      }
      return link !== ''
    })
    return link
  }
})
