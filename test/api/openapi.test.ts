// Tests that the OpenAPI document describes what the service does: every example is requested, and every response is
// validated against its schema.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, expectTypeOf, test } from 'vitest'
import type { DayOfUse } from '../../src/access/plans/usage.ts'
import type * as priceHistory from '../../src/catalogue/price-history.ts'
import { readSample } from '../../src/catalogue/sample.ts'
import { sameQuantities } from '../../src/http/contract/docs/docs-tables.ts'
import { exampleAddresses } from '../../src/http/contract/examples/example-webhook.ts'
import { exampleKey, readExampleAnswers } from '../../src/http/contract/examples/examples.ts'
import { askExamples, fetchOptions } from '../../src/http/contract/examples/request-examples.ts'
import { buildDocument } from '../../src/http/contract/openapi/document.ts'
import { operations } from '../../src/http/contract/operations/operations.ts'
import type { Answer, AnswerName } from '../../src/http/contract/schemas.ts'
import { operations as servedOperations } from '../../src/http/operations/operations.ts'
import { listParameters, operators, type watchFields } from '../../src/search/query/operators.ts'
import type * as explain from '../../src/search/results/explain.ts'
import type * as facets from '../../src/search/results/facets.ts'
import type * as listBrands from '../../src/search/results/list-brands.ts'
import type * as specKeys from '../../src/search/results/spec-keys.ts'
import type * as deliveries from '../../src/webhooks/deliveries/deliveries.ts'
import type * as endpoints from '../../src/webhooks/endpoints/endpoints.ts'
import { createEngine } from '../databases/engines.ts'
import { layOutWebhooks } from './example-webhooks.ts'
import {
  document,
  documented,
  expectValid,
  follow,
  type Parameter,
  resolve,
  responseOf,
  schemaOf,
} from './openapi-document.ts'
import { startPlanServer } from './plan-server.ts'
import { startSmallServer } from './running-server.ts'
import { type SampleServer, serveSample } from './sample-server.ts'

const engine = createEngine()
const sample = serveSample()

test('is an OpenAPI 3.1 document without broken references', () => {
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: {
      title: expect.any(String),
      version: expect.any(String),
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: expect.any(String), url: 'http://localhost:8080/docs' },
    },
    servers: [{ url: 'http://localhost:8080/api/v1' }],
    security: [{ key: [] }],
    components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
  })
  const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = '']) => ref)
  expect(references.length).toBeGreaterThan(50)
  for (const reference of references) expect(follow(reference), reference).toBeDefined()
  const ids = operations.map(({ id }) => id)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every path parameter is declared exactly once', () => {
  for (const operation of operations) {
    const { path } = operation
    const parameters = documented(operation).parameters.map((one) => resolve<Parameter>(one))
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
    const names = parameters.map((one) => `${one.in} ${one.name}`)
    expect(new Set(names).size).toBe(names.length)
  }
})

test('every example gets the response shown, which matches its schema', async () => {
  const server = await startPlanServer(engine, { PLAN_LIMITS: '', ...exampleAddresses.env })
  await layOutWebhooks(server)
  const shown = readExampleAnswers()
  const answers = await askExamples(async (example, plan) => {
    const response = await server.ask(plan, example.request, fetchOptions(example))
    const type = response.status === 204 ? null : 'application/json; charset=utf-8'
    expect(response.headers.get('content-type')).toBe(type)
    return response
  })
  const examples = operations.flatMap((operation) => operation.examples.map((one) => ({ operation, ...one })))
  for (const { operation, ...example } of examples) {
    const { status, answer } = example
    const key = exampleKey(operation, example)
    const taken = answers[key]
    expect([key, taken?.status]).toEqual([key, status])
    expect(taken, 'run npm run docs').toEqual(shown[key])
    if (answer === undefined) continue
    expectValid({ $ref: `#/components/schemas/${answer}` }, taken?.body, key)
    if (answer === 'PickedWatchList') {
      // The document describes such a response apart from that of the operation, and shows it there.
      expect(new URLSearchParams(example.request.split('?')[1]).has('fields'), key).toBe(true)
      expect(document.components.schemas?.[answer]).toMatchObject({
        examples: expect.arrayContaining([taken?.body]),
      })
    } else expectValid(schemaOf(responseOf(operation, status)), taken?.body, key)
  }
  expect(Object.keys(shown).sort()).toEqual(examples.map((one) => exampleKey(one.operation, one)).sort())
})

test('no response has alternatives, which generated types would merge into optional fields', () => {
  for (const operation of operations) {
    for (const [status, response] of Object.entries(documented(operation).responses)) {
      const schema = schemaOf(resolve(response)) ?? {}
      expect([operation.id, status, Object.keys(schema)]).not.toContainEqual(
        expect.arrayContaining(['anyOf']),
      )
    }
  }
})

test('every example body is valid by its schema', () => {
  for (const operation of operations.filter(({ body }) => body !== undefined)) {
    const { schema, examples = {} } = documented(operation).requestBody?.content['application/json'] ?? {}
    expect([operation.id, Object.keys(examples).length > 0]).toEqual([operation.id, true])
    for (const { value } of Object.values(examples)) expectValid(schema, value, operation.id)
  }
})

test('the responses for the whole sample, its brands and every value of every key match the schema', async () => {
  const check = async (request: string, answer: AnswerName) => {
    const body = await (await sample.get(`/api/v1${request}`)).json()
    expectValid({ $ref: `#/components/schemas/${answer}` }, body, request)
    return body
  }
  const { watches } = await readSample()
  for (let page = 1; (page - 1) * 100 < watches.length; page++) {
    await check(`/watches?page=${page}&per_page=100`, 'WatchList')
  }
  await check('/brands?per_page=100', 'BrandList')
  const { data: keys } = (await check('/specs', 'SpecKeyList')) as Answer<'SpecKeyList'>
  for (const { key } of keys) {
    await check(`/specs/${key}?per_page=100`, 'SpecValueList')
    await check(`/watches?facets=${key}&spec[${key}][exists]=true&explain=1`, 'WatchList')
  }
})

test('/usage matches its schema with any use of the quota, and is never cached', async () => {
  const server = await startSmallServer(engine, { PLAN_LIMITS: 'free=2' })
  const schema = schemaOf(responseOf({ path: '/usage' }, 200))
  for (const used of [0, 1, 2, 2]) {
    const response = await server.get('/api/v1/usage', { headers: { 'if-none-match': '*' } })
    const body = (await response.json()) as Answer<'UsageAnswer'>
    expectValid(schema, body, `after ${used}`)
    expect(body.data).toMatchObject({ plan: 'free', limit: 2, used, remaining: 2 - used })
    expect(body.data.days.at(-1)).toEqual({ date: '2026-03-01', used })
    expect(response.headers.get('cache-control')).toBe('private, no-store')
    expect(response.headers.has('etag')).toBe(false)
    await server.get('/api/v1/watches/1')
  }
  server.wait(86_400_000)
  const { data } = await getUsage(server)
  expect([data.reset, data.remaining]).toEqual(['2026-03-03T00:00:00.000Z', 2])
  const lastDays = async () => (await getUsage(server)).data.days.slice(-2)
  await expect.poll(lastDays).toEqual([
    { date: '2026-03-01', used: 2 },
    { date: '2026-03-02', used: 0 },
  ])
})

test('every route under /api/v1 is documented, and every documented route exists', () => {
  const served = servedOperations.map(({ method, path }) => `${method} /api/v1${path}`)
  const told = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    ),
  )
  expect(served.sort()).toEqual(told.sort())
})

/** Examples from the table of synonyms. */
const synonymExamples = [
  { key: 'movement_type', values: ['Automatic', 'Self-winding'] },
  { key: 'dial_color', values: ['Grey', 'Gray'] },
  { key: 'crystal', values: ['Sapphire', 'Sapphire crystal'] },
]

test('values that the docs call equivalent are treated as equal', async () => {
  for (const { key, values } of [...sameQuantities, ...synonymExamples]) {
    const lists = await Promise.all(
      values.map((value) => getList(sample, `spec[${key}]=${encodeURIComponent(value)}&explain=1`)),
    )
    const readings = new Set(lists.map(({ explain = [] }) => explain[0]?.values[0]?.read_as))
    expect([key, [...readings]]).toEqual([key, [expect.any(String)]])
    expect(lists[0]?.meta.total).toBeGreaterThan(0)
  }
})

test('/openapi.json needs no key, is open to every origin, and supports conditional requests', async () => {
  const url = `${sample.baseUrl}/openapi.json`
  const response = await fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildDocument(sample.baseUrl))))
  const etag = response.headers.get('etag') ?? ''
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('the docs show every endpoint, operator, parameter, field, header and example', async () => {
  const pages = ['filters', 'quotas', 'reference'].map(async (name) => {
    const answer = await fetch(`${sample.baseUrl}/docs/${name}`)
    return answer.text()
  })
  const text = (await Promise.all(pages))
    .join('')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll('&amp;', '&')
  const shown = [
    'Watch',
    'Brand',
    'SpecKey',
    'ValueCount',
    'PriceLine',
    'Usage',
    'Webhook',
    'DeliveryDetails',
  ]
  const fields = shown.flatMap((name) => {
    const schema = document.components.schemas?.[name] as { properties: object }
    return Object.keys(schema.properties)
  })
  const wanted = [
    ...operations.flatMap(({ method = 'GET', path, summary, examples }) => [
      `${method} ${path}`,
      summary,
      ...examples.map((example) => example.summary),
    ]),
    ...operators.flatMap(({ written, example }) => [written, example]),
    ...listParameters.flatMap(({ name, example }) => [name, example]),
    ...fields,
    ...Object.keys(document.components.headers ?? {}),
  ]
  expect(wanted.filter((words) => !text.includes(words))).toEqual([])
})

test('a server starts without loading the schemas', () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ resolve(name, context, next) { loaded.push(name); return next(name, context) } })
    await import('./src/server.ts')
    process.stdout.write(loaded.includes('fastify') + ' ' + loaded.includes('zod'))`
  const root = path.resolve(import.meta.dirname, '../..')
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { cwd: root })
  expect(stdout.toString()).toBe('true false')
})

type Watch = Answer<'WatchAnswer'>['data']
type Brand = Answer<'BrandAnswer'>['data']
type SpecKey = Answer<'SpecKeyList'>['data'][number]
type ValueCount = Answer<'SpecValueList'>['data'][number]
type FilterReading = NonNullable<Answer<'WatchList'>['explain']>[number]
type PriceLine = Answer<'PriceHistory'>['data'][number]
type Usage = Answer<'UsageAnswer'>['data']
type Webhook = Answer<'WebhookAnswer'>['data']
type Delivery = Answer<'DeliveryAnswer'>['data']
type DeliveryDetails = Answer<'DeliveryDetailsAnswer'>['data']
type Attempt = DeliveryDetails['attempts'][number]

test('the contract types are those of the catalogue responses', () => {
  expectTypeOf<keyof Watch>().toEqualTypeOf<(typeof watchFields)[number]>()
  expectTypeOf<keyof Brand>().toEqualTypeOf<keyof listBrands.Brand>()
  expectTypeOf<Brand>().toExtend<listBrands.Brand>()
  expectTypeOf<keyof SpecKey>().toEqualTypeOf<keyof specKeys.SpecKey>()
  expectTypeOf<SpecKey>().toExtend<specKeys.SpecKey>()
  expectTypeOf<keyof ValueCount>().toEqualTypeOf<keyof facets.ValueCount>()
  expectTypeOf<ValueCount>().toExtend<facets.ValueCount>()
  expectTypeOf<FilterReading>().toExtend<explain.FilterReading>()
  expectTypeOf<keyof PriceLine>().toEqualTypeOf<keyof priceHistory.PriceLine>()
  expectTypeOf<PriceLine>().toExtend<priceHistory.PriceLine>()
  expectTypeOf<Usage['days'][number]>().toExtend<DayOfUse>()
  expectTypeOf<keyof Webhook>().toEqualTypeOf<keyof endpoints.Endpoint>()
  expectTypeOf<Webhook>().toExtend<endpoints.Endpoint>()
  expectTypeOf<keyof Delivery>().toEqualTypeOf<keyof deliveries.Delivery>()
  expectTypeOf<Delivery>().toExtend<deliveries.Delivery>()
  expectTypeOf<keyof DeliveryDetails>().toEqualTypeOf<keyof deliveries.DeliveryDetails>()
  expectTypeOf<DeliveryDetails>().toExtend<deliveries.DeliveryDetails>()
  expectTypeOf<keyof Attempt>().toEqualTypeOf<keyof deliveries.Attempt>()
})

async function getUsage(server: Pick<SampleServer, 'get'>): Promise<Answer<'UsageAnswer'>> {
  return (await (await server.get('/api/v1/usage')).json()) as Answer<'UsageAnswer'>
}

async function getList(server: SampleServer, query: string): Promise<Answer<'WatchList'>> {
  const response = await server.get(`/api/v1/watches?${query}`)
  return (await response.json()) as Answer<'WatchList'>
}
