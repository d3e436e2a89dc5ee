// Tests POST /resolve over HTTP: what it costs, who may send lists, what it refuses, and that the answers are in order.
// test/search/resolve.test.ts tests what titles are resolved to.
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/http/contract/schemas.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { startWithAccounts, told } from './counted-server.ts'

const engine = createEngine()
const here = share(() => startWithAccounts(engine, {}, 'sample'))
const hulk = 'Rolex Submariner Hulk 116610LV full set 2018'

type Plan = 'free' | 'pro' | 'platinum'

describe('a request counts', () => {
  test.each([
    [1, 1],
    [10, 1],
    [11, 2],
    [100, 10],
  ])('%i texts as %i', async (count, requests) => {
    const ask = await asking('pro')
    expect(told(await ask(Array(count).fill(hulk)))).toMatchObject({ status: 200, remaining: 500 - requests })
  })

  test('nothing where fewer requests remain than its texts need, and tells when they are back', async () => {
    const ask = await asking('pro', 'pro=12')
    expect(told(await ask(Array(100).fill(hulk)))).toMatchObject({ status: 200, remaining: 2 })
    const refused = await ask(Array(21).fill(hulk))
    expect(told(refused)).toMatchObject({ status: 429, remaining: 0, retryAfter: expect.any(String) })
    expect(told(await ask(Array(20).fill(hulk)))).toMatchObject({ status: 200, remaining: 0 })
  })

  test('one where it is refused for what it says', async () => {
    const ask = await asking('pro')
    expect(told(await ask(Array(50).fill('')))).toMatchObject({ status: 422, remaining: 499 })
  })
})

test('the Free plan resolves one text at a time', async () => {
  const ask = await asking('free')
  const [only] = await resolved(await ask([hulk]))
  expect(only).toMatchObject({ match: 'exact' })
  expect((await ask([hulk, hulk])).status).toBe(403)
})

test('the answers come in the order of the texts, with whole watches', async () => {
  const ask = await asking('platinum')
  const texts = ['nothing of the kind', hulk, { text: 'Speedmaster 310.30.42.50.01.002', brand: 'Omega' }]
  const data = await resolved(await ask(texts))
  expect(data.map(({ text }) => text)).toEqual([texts[0], hulk, 'Speedmaster 310.30.42.50.01.002'])
  expect(data.map(({ match }) => match)).toEqual(['none', 'exact', 'exact'])
  const { watch } = data[1]?.candidates[0] ?? {}
  const { server } = here()
  expect(watch).toEqual(
    ((await (await server.get(`/api/v1/watches/${watch?.id}`)).json()) as { data: unknown }).data,
  )
  expect(data[1]?.read).toMatchObject({ brand: 'Rolex', reference: '116610LV', year: 2018, box: true })
})

test('a list without an object around it is accepted, and compressed like other responses', async () => {
  const ask = await asking('pro')
  const response = await ask(Array(20).fill(hulk), (texts) => texts)
  expect(response.headers.get('content-encoding')).toBe('gzip')
  expect(await resolved(response)).toHaveLength(20)
})

test.each([
  [undefined, { texts: ['The texts field is required.'] }],
  [{ texts: 'Hulk' }, { texts: ['The texts must be a list.'] }],
  [{ texts: [] }, { texts: ['The texts field is required.'] }],
  [{ texts: Array(101).fill('x') }, { texts: ['The texts may not have more than 100 items.'] }],
  [{ texts: [7] }, { 'texts.0': ['The texts.0 must be a string, or an object with a text.'] }],
  [{ texts: ['a', ''] }, { 'texts.1': ['The texts.1 field is required.'] }],
  [{ texts: [{}] }, { 'texts.0.text': ['The texts.0.text field is required.'] }],
  [{ texts: ['x'.repeat(501)] }, { 'texts.0': ['The texts.0 may not be greater than 500 characters.'] }],
  [{ texts: [{ text: 'a', brand: 1 }] }, { 'texts.0.brand': ['The texts.0.brand must be a string.'] }],
  [
    { texts: [{ text: 'a', price: '12' }] },
    { 'texts.0.price': ['The texts.0.price must be a number that is not negative.'] },
  ],
])('a wrong body is refused with its place: %j', async (body, errors) => {
  const ask = await asking('platinum')
  const response = await ask([], () => body)
  expect([response.status, ((await response.json()) as { errors: unknown }).errors]).toEqual([422, errors])
})

/** Returns a function that sends texts with the key of a new account. */
async function asking(plan: Plan, limits?: string) {
  const { server, addAccount } =
    limits === undefined ? here() : await startWithAccounts(engine, { PLAN_LIMITS: limits }, 'sample')
  const { key } = await addAccount(plan)
  return (texts: readonly unknown[], bodyOf: (texts: readonly unknown[]) => unknown = () => ({ texts })) =>
    fetch(`${server.baseUrl}/api/v1/resolve`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'accept-encoding': 'gzip',
      },
      body: JSON.stringify(bodyOf(texts)) ?? '',
    })
}

async function resolved(response: Response): Promise<Answer<'ResolutionList'>['data']> {
  expect(response.status).toBe(200)
  return ((await response.json()) as Answer<'ResolutionList'>).data
}
