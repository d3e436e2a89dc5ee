// Tests that every refusal of the service is an error of its own class, with what a log needs.
import { describe, expect, test } from 'vitest'
import {
  AuthenticationError,
  type ClientOptions,
  CursorExpiredError,
  NotFoundError,
  PlanError,
  QuotaExceededError,
  RateLimitError,
  ValidationError,
  Watchdata,
  WatchdataError,
} from '../../sdk/src/index.ts'
import { startPlanServer } from '../api/plan-server.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { recordedClient } from './recorded-client.ts'

const engine = createEngine()
const limits = {
  PLAN_LIMITS: 'free=3,pro=1000000,platinum=1000000',
  BURST_LIMIT: '1000',
  LOG_LEVEL: 'silent',
}
const open = share(() => startPlanServer(engine, limits, 'few'))
const optionsOf = (plan: 'free' | 'pro' | 'platinum'): ClientOptions => {
  const { baseUrl, keys } = open()
  return { baseUrl, apiKey: keys[plan] }
}

async function errorOf<Class>(
  call: PromiseLike<unknown>,
  ErrorClass: new (...args: never[]) => Class,
): Promise<Class> {
  const error = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(error).toBeInstanceOf(ErrorClass)
  expect(error).toBeInstanceOf(WatchdataError)
  expect((error as Error).name).toBe(ErrorClass.name)
  return error as Class
}

describe('an error of the service', () => {
  test('401 is an AuthenticationError', async () => {
    const { exchanged, client } = recordedClient({ ...optionsOf('pro'), apiKey: 'wd_live_wrong' })
    const error = await errorOf(client.watches.list(), AuthenticationError)
    expect(error).toMatchObject({ status: 401, body: { message: 'Unauthenticated.' } })
    expect(error.message).toBe('GET /watches: 401 Unauthenticated.')
    expect(error.requestId).toBe(error.headers?.get('x-request-id'))
    expect(exchanged).toHaveLength(1)
    expect(JSON.stringify(error)).not.toContain('wd_live_wrong')
  })

  test('404 is a NotFoundError', async () => {
    const error = await errorOf(new Watchdata(optionsOf('pro')).brands.get('nobody/else'), NotFoundError)
    expect(error.message).toBe('GET /brands/nobody%2Felse: 404 Resource not found.')
  })

  test('422 is a ValidationError whose message has the texts of all fields', async () => {
    const query = { per_page: 1_000, spec: { case_diameter: { gte: 'large' } } }
    const error = await errorOf(new Watchdata(optionsOf('pro')).watches.list(query), ValidationError)
    expect(Object.keys(error.errors).toSorted()).toEqual(['per_page', 'spec.case_diameter'])
    for (const text of Object.values(error.errors).flat()) expect(error.message).toContain(text)
    const strict = { strict: true, colour: 'Black' } as { strict: boolean }
    const { errors } = await errorOf(new Watchdata(optionsOf('pro')).watches.list(strict), ValidationError)
    expect(Object.keys(errors)).toEqual(['colour'])
  })

  test('422 of a cursor that the service refuses is a CursorExpiredError, of one that is none a ValidationError', async () => {
    const { changes } = new Watchdata(optionsOf('pro'))
    const error = await errorOf(changes.list({ since: '00000000-1-000000000000' }), CursorExpiredError)
    expect(error.message).toContain('Start again with an export.')
    await errorOf(changes.list({ since: 'yesterday' }), ValidationError)
    await errorOf(changes.list({ since: '00000000-1', limit: 0 }), ValidationError)
  })

  test('403 is a PlanError, and a spent day a QuotaExceededError at once, which only a 304 and the usage escape', async () => {
    const { client, exchanged } = recordedClient({ ...optionsOf('free'), cache: true })
    await client.watches.get(1)
    const error = await errorOf(client.changes.list(), PlanError)
    expect(error.message).toBe('GET /changes: 403 Your plan does not include access to this resource.')
    await client.watches.list()
    const spent = await errorOf(client.brands.list(), QuotaExceededError)
    expect(spent).toBeInstanceOf(RateLimitError)
    expect(spent).toMatchObject({ resetAt: new Date('2026-03-02T00:00:00Z'), retryAfterSeconds: 43_200 })
    expect(spent.message).toContain('The quota resets at 2026-03-02T00:00:00.000Z.')
    expect(exchanged.map(({ status }) => status)).toEqual([200, 403, 200, 429])
    expect((await client.watches.get(1)).id).toBe(1)
    expect((await client.usage()).remaining).toBe(0)
  })
})

test('a limit per second is waited for, and then the request passes', async () => {
  const server = await startPlanServer(engine, { ...limits, BURST_LIMIT: '1' }, 'few')
  const options = { baseUrl: server.baseUrl, apiKey: server.keys.pro }
  const { client, exchanged } = recordedClient(options, () => server.wait(1_000))
  const stopped = new Watchdata({ ...options, maxRetries: 0 })
  await stopped.watches.get(1)
  const error = await errorOf(stopped.watches.get(1), RateLimitError)
  expect(error).toMatchObject({ status: 429, retryAfterSeconds: 1 })
  expect((await client.watches.get(1)).id).toBe(1)
  expect(exchanged.map(({ status }) => status)).toEqual([429, 200])
})

test('a wrong setting is told before a request is sent', () => {
  const baseUrl = 'https://watches.example.com'
  expect(() => new Watchdata({ baseUrl, apiKey: '' })).toThrow('apiKey must be your API key')
  expect(() => new Watchdata({ baseUrl: 'watches', apiKey: 'x' })).toThrow('baseUrl must be the address')
})
