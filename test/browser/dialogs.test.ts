// Guarantees of dialogs to users of screen readers and keyboards: messages are announced where they can be heard, and
// pressing Enter immediately does nothing irreversible.
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { password } from './house.ts'

describeHouse('a dialog', (here) => {
  test('announces inside itself that something was copied, because the page below is inert, and nowhere else', async () => {
    const { house, browser } = here()
    await house.ada.signUp('ada@example.com', 'Ada Lovelace', password)
    await house.ada.ask('POST', '/api/account/keys', { name: 'Production' })
    const { page, complaints } = await visit(browser, `${house.baseUrl}/dashboard/keys`, {}, house.ada)
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByLabel('Name').fill('Laptop')
    await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
    await page.getByRole('button', { name: 'Copy key' }).click()
    await page.getByRole('dialog').locator('.said').getByText('Copied the key.').waitFor()
    expect(await page.locator('.said', { hasText: 'Copied the key.' }).count()).toBe(1)
    expect(complaints).toEqual([])
  })

  test('that confirms a dangerous action has its initial focus on Cancel', async () => {
    const { house, browser } = here()
    await house.newcomer.signUp('nora@example.com', 'Nora', password)
    await house.newcomer.ask('POST', '/api/account/keys', { name: 'Production' })
    const { page, complaints } = await visit(browser, `${house.baseUrl}/dashboard/keys`, {}, house.newcomer)
    await page.getByRole('button', { name: 'Revoke Production' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    const [key] = (await house.newcomer.ask('GET', '/api/account/keys')).data
    expect(key.status).toBe('active')
    expect(complaints).toEqual([])
  })
})
