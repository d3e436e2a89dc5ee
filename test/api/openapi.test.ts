// The document says what the service does: every example is asked, every status it names is brought about, and every
// answer is held against its schema.
import { spawnSync } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import path from 'node:path'
import { Ajv2020, type AnySchema } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { FastifyInstance } from 'fastify'
import { expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { buildDocument } from '../../src/http/contract/document.ts'
import { readExampleAnswers, toExampleAnswer } from '../../src/http/contract/examples.ts'
import { operations, statusesOf } from '../../src/http/contract/operations.ts'
import { sameQuantities, synonymExamples } from '../../src/http/contract/reference.ts'
import type {
  Answer,
  AnswerName,
  Brand,
  FilterReading,
  SpecKey,
  ValueCount,
  Watch,
} from '../../src/http/contract.ts'
import type * as explain from '../../src/search/explain.ts'
import type * as facets from '../../src/search/facets.ts'
import type * as listBrands from '../../src/search/list-brands.ts'
import { listParameters, operators, type watchFields } from '../../src/search/operators.ts'
import type * as specKeys from '../../src/search/spec-keys.ts'
import { createEngine } from '../engines.ts'
import { startTestServer, type TestServer } from './running-server.ts'

interface Parameter {
  readonly name: string
  readonly in: string
  readonly schema: AnySchema
  readonly example?: unknown
}

interface Response {
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: { readonly 'application/json': { readonly schema: AnySchema } }
}

interface Document {
  readonly paths: Record<string, { get: { parameters: object[]; responses: Record<string, object> } }>
  readonly components: Record<string, Record<string, object>>
}

const engine = createEngine()
const document = buildDocument('http://localhost:8080') as Document
const validator = createValidator()
/** Not sent with every answer that may have them. */
const occasionalHeaders = ['X-Unknown-Spec-Keys', 'Retry-After']

test('is an OpenAPI 3.1 document whose references all lead somewhere', () => {
  expect(document).toMatchObject({
    openapi: expect.stringMatching(/^3\.1\./),
    info: { title: expect.any(String), version: expect.any(String) },
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

test('every parameter of a path is declared, and none twice', () => {
  for (const [path, { get }] of Object.entries(document.paths)) {
    const parameters = get.parameters.map((one) => resolve<Parameter>(one))
    const inPath = parameters.filter((one) => one.in === 'path').map(({ name }) => `{${name}}`)
    expect(inPath).toEqual(path.match(/\{\w+\}/g) ?? [])
    const names = parameters.map((one) => `${one.in} ${one.name}`)
    expect(new Set(names).size).toBe(names.length)
  }
})

test('every example is answered as it is shown, by its schema', async () => {
  const server = await startTestServer(engine)
  const shown = readExampleAnswers()
  const examples = operations.flatMap(({ path, examples }) => examples.map((one) => ({ ...one, path })))
  for (const { path, request, status, answer } of examples) {
    const response = await server.get(`/api/v1${request}`)
    expect([request, response.status]).toEqual([request, status])
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    const taken = await toExampleAnswer(response)
    expect(taken, 'run npm run docs').toEqual(shown[request])
    expectValid({ $ref: `#/components/schemas/${answer}` }, taken.body, request)
    expectValid(responseOf(path, status).content?.['application/json'].schema, taken.body, request)
  }
  expect(Object.keys(shown).sort()).toEqual(examples.map(({ request }) => request).sort())
})

test('the whole sample, all its brands and every value of every key are answered by the schema', async () => {
  const server = await startTestServer(engine)
  const check = async (request: string, answer: AnswerName) => {
    const body = await (await server.get(`/api/v1${request}`)).json()
    expectValid({ $ref: `#/components/schemas/${answer}` }, body, request)
    return body
  }
  for (let page = 1; (page - 1) * 100 < server.watches; page++) {
    await check(`/watches?page=${page}&per_page=100`, 'WatchList')
  }
  await check('/brands?per_page=100', 'BrandList')
  const { data: keys } = (await check('/specs', 'SpecKeyList')) as Answer<'SpecKeyList'>
  for (const { key } of keys) {
    await check(`/specs/${key}?per_page=100`, 'SpecValueList')
    await check(`/watches?facets=${key}&spec[${key}][exists]=true&explain=1`, 'WatchList')
  }
})

test('every documented status of every operation comes about, with its headers, by its schema', async () => {
  const server = await startTestServer(engine)
  for (const operation of operations) {
    const documented = Object.keys(document.paths[operation.path]?.get.responses ?? {})
    expect(documented).toEqual([...statusesOf(operation).map(String), 'default'])
    for (const name of documented) {
      const what = `${operation.id} ${name}`
      const { headers = {}, content } = responseOf(operation.path, name)
      const response = await bringAbout(server, operation, name)
      const body = await response.text()
      expect([what, response.status]).toEqual([what, name === 'default' ? 414 : Number(name)])
      const missing = Object.keys(headers).filter((header) => !response.headers.has(header))
      expect([what, missing.filter((header) => !occasionalHeaders.includes(header))]).toEqual([what, []])
      if (content === undefined) expect([what, body]).toEqual([what, ''])
      else expectValid(content['application/json'].schema, JSON.parse(body), what)
    }
  }
})

test('every route under /api/v1 is documented, and nothing else is', async () => {
  const routes = new Set<string>()
  const onInitialization = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ url, method }) => {
      // Many methods at once are the refusal of all that a path lacks.
      if (!Array.isArray(method) && method !== 'HEAD') routes.add(`${method} ${url}`)
    })
  }
  subscribe('fastify.initialization', onInitialization)
  onTestFinished(() => void unsubscribe('fastify.initialization', onInitialization))
  await startTestServer(engine)
  const documented = Object.keys(document.paths).map(
    (path) => `GET /api/v1${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
  )
  expect([...routes].filter((route) => route.includes(' /api/')).sort()).toEqual(documented.sort())
  expect(routes).toContain('GET /openapi.json')
})

test('every operator and every parameter of a list has an example that its schema allows and a watch matches', async () => {
  const server = await startTestServer(engine)
  for (const { example } of [...operators, ...listParameters]) {
    const list = await getList(server, example)
    expect([example, list.meta.total > 0]).toEqual([example, true])
  }
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  const parameters = Object.values(document.paths).flatMap(({ get }) => get.parameters)
  for (const { name, schema, example } of parameters.map((one) => resolve<Parameter>(one))) {
    if (example !== undefined) expect([name, ajv.validate(schema, example)]).toEqual([name, true])
  }
  const { schema: specSchema } = resolve<Parameter>({ $ref: '#/components/parameters/spec' })
  const coercing = new Ajv2020({ coerceTypes: true })
  for (const { example } of operators) {
    expect([example, coercing.validate(specSchema, specOf(example))]).toEqual([example, true])
  }
  expect(coercing.validate(specSchema, { dial_color: { like: 'Bl' } })).toBe(false)
})

test('values that the docs call the same are read as the same', async () => {
  const server = await startTestServer(engine)
  for (const { key, values } of [...sameQuantities, ...synonymExamples]) {
    const lists = await Promise.all(
      values.map((value) => getList(server, `spec[${key}]=${encodeURIComponent(value)}&explain=1`)),
    )
    const readings = new Set(lists.map(({ explain = [] }) => explain[0]?.values[0]?.read_as))
    expect([key, [...readings]]).toEqual([key, [expect.any(String)]])
    expect(lists[0]?.meta.total).toBeGreaterThan(0)
  }
})

test('/openapi.json needs no key, is open to every origin, and is not sent twice', async () => {
  const server = await startTestServer(engine)
  const url = `${server.baseUrl}/openapi.json`
  const response = await fetch(url)
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'application/json; charset=utf-8',
  ])
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  expect(await response.json()).toEqual(JSON.parse(JSON.stringify(buildDocument(server.baseUrl))))
  const etag = response.headers.get('etag') ?? ''
  expect((await fetch(url, { headers: { 'if-none-match': etag } })).status).toBe(304)
  expect((await fetch(url, { method: 'POST' })).status).toBe(405)
})

test('/docs shows every endpoint, operator, parameter, field and example', async () => {
  const server = await startTestServer(engine)
  const page = await (await fetch(`${server.baseUrl}/docs`)).text()
  const text = page.replaceAll(/<[^>]+>/g, '').replaceAll('&amp;', '&')
  const fields = ['Watch', 'Brand', 'SpecKey', 'ValueCount'].flatMap((name) => {
    const schema = document.components.schemas?.[name] as { properties: object }
    return Object.keys(schema.properties)
  })
  const wanted = [
    ...operations.flatMap(({ path, summary, examples }) => [
      `GET ${path}`,
      summary,
      ...examples.map((example) => example.summary),
    ]),
    ...operators.flatMap(({ written, example }) => [written, example]),
    ...listParameters.flatMap(({ name, example }) => [name, example]),
    ...fields,
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

test('the types of the contract are those that the catalogue is answered with', () => {
  expectTypeOf<keyof Watch>().toEqualTypeOf<(typeof watchFields)[number]>()
  expectTypeOf<keyof Brand>().toEqualTypeOf<keyof listBrands.Brand>()
  expectTypeOf<Brand>().toExtend<listBrands.Brand>()
  expectTypeOf<keyof SpecKey>().toEqualTypeOf<keyof specKeys.SpecKey>()
  expectTypeOf<SpecKey>().toExtend<specKeys.SpecKey>()
  expectTypeOf<keyof ValueCount>().toEqualTypeOf<keyof facets.ValueCount>()
  expectTypeOf<ValueCount>().toExtend<facets.ValueCount>()
  expectTypeOf<FilterReading>().toExtend<explain.FilterReading>()
})

/** A request that is answered with this status. */
function bringAbout(server: TestServer, { path, examples }: (typeof operations)[number], status: string) {
  const example = examples.find((one) => String(one.status) === status) ?? examples[0]
  const url = `/api/v1${example?.request}`
  switch (status) {
    case '304':
      return server.get(url).then(({ headers }) => {
        return server.get(url, { headers: { 'if-none-match': headers.get('etag') ?? '' } })
      })
    case '401':
      return fetch(server.baseUrl + url)
    case 'default':
      return server.get(`/api/v1${path.replaceAll(/\{\w+\}/g, '1')}?${'x'.repeat(9_000)}`)
    default:
      return server.get(url)
  }
}

async function getList(server: TestServer, query: string): Promise<Answer<'WatchList'>> {
  const response = await server.get(`/api/v1/watches?${query}`)
  return (await response.json()) as Answer<'WatchList'>
}

/** `spec[a][gte]=1` → `{ a: { gte: '1' } }`, as a client with deepObject would have it. */
function specOf(query: string): Record<string, unknown> {
  const spec: Record<string, unknown> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const [, key = '', operator] = /^spec\[([^\]]+)\](?:\[(\w*)\])?$/.exec(name) ?? []
    if (operator === '') spec[key] = [...((spec[key] as string[] | undefined) ?? []), value]
    else spec[key] = operator === undefined ? value : { [operator]: value }
  }
  return spec
}

function responseOf(path: string, status: number | string): Response {
  return resolve(document.paths[path]?.get.responses[status] ?? {})
}

function resolve<T>(node: object): T {
  return ('$ref' in node ? follow(String(node.$ref)) : node) as T
}

function follow(reference: string): unknown {
  return reference
    .replace('#/', '')
    .split('/')
    .reduce((node: unknown, name) => (node as Record<string, unknown> | undefined)?.[name], document)
}

function expectValid(schema: AnySchema | undefined, body: unknown, what: string): void {
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/'))
  validator.validate(absolute, body)
  expect(validator.errors ?? [], what).toEqual([])
}

/** The document leaves its objects open for what v1 may add; here a field that it does not name is a mistake. */
function createValidator(): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const components = JSON.parse(JSON.stringify(document.components), (_name, node) =>
    node?.type === 'object' && node.properties !== undefined
      ? { ...node, additionalProperties: false }
      : node,
  )
  return ajv.addSchema({ components }, 'document')
}
