// Requests and grants a plan on the pages, with two users in two browsers. A granted plan takes effect immediately.
import { expect, test } from 'vitest'
import { visit } from './browser.ts'
import { describeHouse } from './describe-house.ts'
import { password } from './house.ts'

/** How often the page of a customer with a pending request polls. */
const lookEveryMs = 10_000

describeHouse('a plan', (here) => {
  test('that a customer requests and an operator grants raises the quota immediately', async () => {
    const { house, browser } = here()
    const { ada, operator, baseUrl } = house
    await ada.signUp('ada@example.com', 'Ada Lovelace', password)
    const { key } = (await ada.ask('POST', '/api/account/keys', { name: 'Production' })).data
    const before = await ada.call(key, '/watches')
    expect(before.headers.get('x-ratelimit-limit')).toBe('50')

    const customer = await visit(browser, `${baseUrl}/dashboard/plan`, {}, ada)
    await customer.page.clock.install()
    await customer.page.getByRole('button', { name: 'Request Pro' }).click()
    await customer.page.getByRole('dialog').getByRole('button', { name: 'Request Pro' }).click()
    await customer.page.getByRole('region', { name: 'You are on Free' }).getByText('Pending').waitFor()

    const operatorVisit = await visit(browser, `${baseUrl}/dashboard`, {}, operator)
    await operatorVisit.page.getByRole('link', { name: /^Plan requests/ }).click()
    await operatorVisit.page.getByRole('button', { name: 'Grant the request of ada@example.com' }).click()
    await operatorVisit.page.getByRole('dialog').getByRole('button', { name: 'Grant Pro' }).click()
    await operatorVisit.page.getByText('ada@example.com is on Pro now.').waitFor()

    const after = await ada.call(key, '/watches')
    expect(after.headers.get('x-ratelimit-limit')).toBe('500')
    const left = Number(before.headers.get('x-ratelimit-remaining'))
    expect(after.headers.get('x-ratelimit-remaining')).toBe(String(left - 1 + 450))
    await customer.page.clock.fastForward(lookEveryMs)
    await customer.page.getByRole('heading', { name: 'You are on Pro' }).waitFor()
    expect([...customer.complaints, ...operatorVisit.complaints]).toEqual([])
  })

  test('that is declined stays as it was, and the page says so', async () => {
    const { house, browser } = here()
    const { newcomer, operator, baseUrl } = house
    await newcomer.signUp('nora@example.com', 'Nora', password)
    await newcomer.ask('POST', '/api/account/plan-request', { plan: 'platinum' })
    const operatorVisit = await visit(browser, `${baseUrl}/dashboard/operator/plan-requests`, {}, operator)
    await operatorVisit.page.getByRole('button', { name: 'Decline the request of nora@example.com' }).click()
    await operatorVisit.page.getByRole('dialog').getByRole('button', { name: 'Decline' }).click()
    await operatorVisit.page.getByRole('heading', { name: 'No pending requests' }).waitFor()
    const customer = await visit(browser, `${baseUrl}/dashboard/plan`, {}, newcomer)
    await customer.page.getByText('Declined', { exact: true }).first().waitFor()
    await customer.page.getByRole('heading', { name: 'You are on Free' }).waitFor()
  })

  test('request page of the operator does not exist for a customer', async () => {
    const { house, browser } = here()
    const { newcomer, baseUrl } = house
    const { page } = await visit(browser, `${baseUrl}/dashboard/operator/plan-requests`, {}, newcomer)
    await page.getByRole('heading', { name: 'This page does not exist' }).waitFor()
    expect(await page.getByRole('link', { name: /^Plan requests/ }).count()).toBe(0)
  })
})
