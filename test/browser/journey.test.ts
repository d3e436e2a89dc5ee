// The path of a new customer from the front page to a revoked key: by keyboard alone, and at night also by mouse.
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { isNightly } from '../depth.ts'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { type Hands, keyboard, mouse } from './hands.ts'
import { type House, password, until } from './house.ts'

describeHouse('a new customer', (here) => {
  test.each(isNightly ? [mouse(), keyboard()] : [keyboard()])(
    '$name signs up, calls the API, filters, tests a webhook and revokes the key',
    async (hands) => {
      const { house, browser } = here()
      const options = { permissions: ['clipboard-read', 'clipboard-write'] }
      const { page, strangers, complaints } = await visit(browser, house.baseUrl, options)
      const key = await signUpAndCall(page, hands, `ada-${hands.name.replaceAll(' ', '-')}@example.com`)
      await filter(house, page, hands, key)
      await askForPro(house, page, hands)
      await testWebhook(house, page, hands)
      await revoke(page, hands)
      await until(async () => (await house.nobody.call(key, '/watches')).status === 401)
      expect(strangers).toEqual([])
      expect(complaints).toEqual([])
    },
  )
})

/** Three interactions: the button on the front page, the form, and "Run it". */
async function signUpAndCall(page: Page, hands: Hands, email: string): Promise<string> {
  await hands.press(page.getByRole('link', { name: 'Get a free key' }).first())
  await hands.write(page.getByLabel('Name'), 'Ada Lovelace')
  await hands.write(page.getByLabel('Email'), email)
  await hands.write(page.getByLabel('Password'), password)
  await hands.press(page.getByRole('button', { name: 'Create account' }))
  const panel = page.getByRole('region', { name: 'Your first key' })
  const key = await panel.locator('.secret code').innerText()
  expect(key).toMatch(/^wd_live_/)
  const answered = page.waitForResponse((response) => response.url().includes('/api/v1/watches'))
  await hands.press(panel.getByRole('button', { name: 'Run it' }))
  const headers = await (await answered).allHeaders()
  expect(headers['x-ratelimit-limit']).toBe('50')
  await panel.getByText('x-ratelimit-remaining', { exact: false }).first().waitFor()
  const shown = await panel.innerText()
  expect(shown).toContain('200')
  expect(shown).toContain(headers['x-ratelimit-remaining'])
  expect(shown).toContain('"data"')
  await hands.press(panel.getByRole('button', { name: 'Copy key' }))
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(key)
  await hands.press(panel.getByRole('button', { name: 'Done' }))
  await panel.waitFor({ state: 'detached' })
  expect(await page.content()).not.toContain(key)
  return key
}

async function filter({ baseUrl }: House, page: Page, hands: Hands, key: string): Promise<void> {
  await hands.press(page.getByRole('link', { name: 'Explore', exact: true }).first())
  await hands.write(page.locator('input[name="spec[water_resistance][gte]"]'), '330 ft')
  await hands.press(page.getByRole('button', { name: 'Apply ranges' }))
  await page.waitForURL(/water_resistance/)
  const answer = await fetch(`${baseUrl}/api/v1/watches?spec[water_resistance][gte]=10+bar`, {
    headers: { authorization: `Bearer ${key}` },
  })
  const { meta } = (await answer.json()) as { meta: { total: number } }
  await until(async () => (await page.locator('#count').innerText()).includes(`of ${meta.total} watches`))
  expect(await page.locator('.chips').innerText()).toContain('100 m')
}

async function askForPro({ operator }: House, page: Page, hands: Hands): Promise<void> {
  await hands.press(page.getByRole('link', { name: 'Dashboard', exact: true }))
  await hands.press(page.getByRole('link', { name: 'Plan', exact: true }))
  await hands.press(page.getByRole('button', { name: 'Request Pro' }))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Request Pro' }))
  await page.getByText('Requested', { exact: true }).waitFor()
  const [asked] = (await operator.ask('GET', '/api/operator/plan-requests')).data
  await operator.ask('POST', `/api/operator/plan-requests/${asked.id}/grant`)
}

async function testWebhook({ receiver }: House, page: Page, hands: Hands): Promise<void> {
  const before = receiver.received.length
  await page.reload()
  await hands.press(page.getByRole('link', { name: 'Webhooks', exact: true }))
  await hands.press(page.getByRole('link', { name: 'Create webhook' }).first())
  await hands.write(page.getByLabel('Endpoint URL'), `${receiver.url}journey`)
  await hands.press(page.getByRole('button', { name: 'Create webhook' }))
  const dialog = page.getByRole('dialog')
  const secret = await dialog.locator('.secret code').innerText()
  expect(secret).toMatch(/^whsec_/)
  await hands.press(dialog.getByRole('button', { name: 'Copy signing secret' }))
  // Until it is copied, the dialog asks before it closes.
  await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === secret)
  await hands.press(dialog.getByRole('button', { name: 'Done' }))
  await hands.press(page.getByRole('button', { name: 'Send test' }))
  await page
    .getByText(/The test event was delivered/)
    .first()
    .waitFor()
  const received = receiver.received.slice(before)
  expect(received.map(({ path, body }) => [path, body.type])).toEqual([['/journey', 'webhook.test']])
  await hands.press(page.getByRole('link', { name: 'See the delivery' }))
  await page
    .getByText(/webhook-id/)
    .first()
    .waitFor()
}

async function revoke(page: Page, hands: Hands): Promise<void> {
  await hands.press(page.getByRole('link', { name: 'Keys', exact: true }))
  await hands.press(page.getByRole('button', { name: 'Revoke First key' }))
  await hands.press(page.getByRole('dialog').getByRole('button', { name: 'Revoke the key' }))
  await page.getByText('The key First key is revoked.').waitFor()
}
