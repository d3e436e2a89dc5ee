// Tests the limits per second, which protect the machine: of all requests of an account, of those that cost no quota, and
// of those without a valid key.
import { describe, expect, test } from 'vitest'
import { plans } from '../../src/access/plans/plans.ts'
import { parseConfig } from '../../src/config.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { ask, resetSeconds, startWithAccounts } from './counted-server.ts'
import type { TestServer } from './running-server.ts'

const engine = createEngine()

/** Every such 429 says that nothing remains until a second later. */
const refusedForASecond = (server: TestServer, limit: number) => ({
  status: 429,
  limit,
  remaining: 0,
  reset: Date.parse(server.now()) / 1_000 + 1,
  retryAfter: '1',
})

describe('the burst limit', () => {
  const limit = 5
  const guarded = share(() =>
    startWithAccounts(engine, { BURST_LIMIT: String(limit), PLAN_LIMITS: `free=${limit}` }),
  )
  const statusesOf = async (server: TestServer, key: string) => {
    const statuses = []
    for (let time = 0; time <= limit; time++) statuses.push((await ask(server, key, '/watches')).status)
    return statuses
  }

  test('rejects more than its limit a second: nothing remains until a second later, and nothing is charged', async () => {
    const { server, addAccount } = guarded()
    const { key } = await addAccount('pro')
    const answers = []
    for (let time = 0; time < 8; time++) answers.push(await ask(server, key, '/brands'))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
    expect(answers.at(-1)).toEqual(refusedForASecond(server, 500))
    server.wait(1_000)
    const usage = await fetch(`${server.baseUrl}/api/v1/usage`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect((await usage.json()) as object).toMatchObject({ data: { used: 5, remaining: 495 } })
    server.wait(1_000)
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 200, remaining: 494 })
  })

  test('does not affect other accounts', async () => {
    const { server, addAccount } = guarded()
    const [one, other] = [await addAccount('pro'), await addAccount('pro')]
    expect(await statusesOf(server, one.key)).toEqual([200, 200, 200, 200, 200, 429])
    expect((await ask(server, other.key, '/watches')).status).toBe(200)
  })

  test('of an account with a spent quota says to wait for the next day', async () => {
    const { server, addAccount } = guarded()
    const { key } = await addAccount('free')
    expect(await statusesOf(server, key)).toEqual([200, 200, 200, 200, 200, 429])
    const retryAfter = String(resetSeconds - Date.parse(server.now()) / 1_000)
    expect(await ask(server, key, '/watches')).toMatchObject({ status: 429, retryAfter })
  })

  const generous = share(() => startWithAccounts(engine, { BURST_LIMIT: '2000' }))

  test('of free requests is far lower: they cost no quota, but time', async () => {
    const { server, addAccount } = generous()
    const { key } = await addAccount('pro')
    const { headers } = await fetch(`${server.baseUrl}/api/v1/brands`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const held = { headers: { 'if-none-match': headers.get('etag') ?? '' } }
    const answers = []
    for (let time = 0; time < 60; time++) {
      answers.push(await ask(server, key, '/brands', held), await ask(server, key, '/usage'))
    }
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect(answers.at(-1)).toEqual(refusedForASecond(server, 500))
    expect(await ask(server, key, '/brands')).toMatchObject({ status: 200, remaining: 498 })
  })

  test('of requests without a valid key counts by address, and valid keys pass it', async () => {
    const { server, addAccount } = generous()
    const { key } = await addAccount('pro')
    expect((await ask(server, key, '/brands')).status).toBe(200)
    const statuses = []
    for (let time = 0; time < 60; time++) statuses.push((await ask(server, `wrong${time}`, '/brands')).status)
    expect(statuses.filter((status) => status === 401)).toHaveLength(50)
    expect(await ask(server, 'wrong', '/brands')).toEqual(refusedForASecond(server, 0))
    expect((await ask(server, key, '/brands')).status).toBe(200)
  })

  test('by default allows spending a daily quota at once', async () => {
    const { burstLimit } = parseConfig({})
    for (const { requestsPerDay } of Object.values(plans)) expect(burstLimit).toBeGreaterThan(requestsPerDay)
  })
})
