// Tests the parameters of the OpenAPI document: each example matches a watch, filters find what their other spelling
// finds, and the service accepts and refuses what the document says.
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import { expect, test } from 'vitest'
import { operations } from '../../src/http/contract/operations/operations.ts'
import type { Answer } from '../../src/http/contract/schemas.ts'
import { keyMaxLength } from '../../src/http/operations/idempotency.ts'
import { listParameters, operators } from '../../src/search/query/operators.ts'
import {
  type DocumentedResponse,
  documented,
  expectValid,
  type Parameter,
  resolve,
} from './openapi-document.ts'
import { serveSample } from './sample-server.ts'

const sample = serveSample()

test('every operator and list parameter has an example that its schema allows and a watch matches', async () => {
  for (const { example } of [...operators, ...listParameters]) {
    const list = await getList(example)
    expect([example, list.meta.total > 0]).toEqual([example, true])
  }
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true })
  formats.default(ajv)
  const parameters = operations.flatMap((operation) => documented(operation).parameters)
  for (const { name, schema, example } of parameters.map((one) => resolve<Parameter>(one))) {
    if (example !== undefined) expect([name, ajv.validate(schema, example)]).toEqual([name, true])
  }
  const { schema: specSchema } = resolve<Parameter>({ $ref: '#/components/parameters/spec' })
  const coercing = new Ajv2020({ coerceTypes: true })
  for (const { example } of operators) {
    expect([example, coercing.validate(specSchema, specOf(example))]).toEqual([example, true])
  }
  for (const nested of [{ gte: '1' }, { like: 'Bl' }, ['Black', 'Blue']]) {
    expect([nested, coercing.validate(specSchema, { dial_color: nested })]).toEqual([nested, false])
  }
})

test('every filter finds the same as a parameter of the document', async () => {
  const declared = documented({ path: '/watches' }).parameters.map((one) => resolve<Parameter>(one))
  const prices = declared.filter(({ name }) => /^(retail_price_usd|current_market_price)/.test(name))
  expect(prices).toHaveLength(10)
  for (const { name, example } of prices) {
    const nested = name.replace(/:(\w+)$/, '[$1]')
    const lists = [await getList(`${name}=${example}`), await getList(`${nested}=${example}`)]
    expect(lists[0], name).toEqual(lists[1])
  }
  for (const { example } of operators) {
    const spec = Object.entries(specOf(example)).map(([key, value]) => [`spec[${key}]`, value])
    const asDeclared = await getList(new URLSearchParams(spec).toString())
    expect([example, asDeclared]).toEqual([example, await getList(example)])
  }
})

test('every operation ignores and names a parameter that it does not know, and refuses it if strict', async () => {
  for (const operation of operations) {
    const { parameters, responses } = documented(operation)
    const inQuery = parameters.map((one) => resolve<Parameter>(one)).filter((one) => one.in === 'query')
    const isDeclared = inQuery.some(({ name }) => name === 'strict')
    expect([operation.id, isDeclared]).toEqual([operation.id, inQuery.length > 0])
    const { headers = {} } = resolve<DocumentedResponse>(responses[operation.status] ?? {})
    expect([operation.id, Object.keys(headers)]).toEqual([
      operation.id,
      expect.arrayContaining(['X-Unknown-Parameters']),
    ])
  }
  for (const request of ['/watches', '/watches/1', '/brands', '/specs', '/usage', '/suggest?q=om']) {
    const url = `/api/v1${request}${request.includes('?') ? '&' : '?'}colour=Black`
    const ignoring = await sample.get(url)
    expect([request, ignoring.status]).toEqual([request, 200])
    expect(ignoring.headers.get('x-unknown-parameters'), request).toContain('colour')
    const refusing = await sample.get(`${url}&strict=1`)
    expect([request, refusing.status]).toEqual([request, 422])
    expectValid({ $ref: '#/components/schemas/InvalidProblem' }, await refusing.json(), request)
  }
})

test('every request header has the pattern of the values that the service accepts', async () => {
  const patternOf = (name: string) => {
    const { schema } = resolve<Parameter>({ $ref: `#/components/parameters/${name}` })
    return new RegExp((schema as { pattern: string }).pattern)
  }
  const minSequence = patternOf('X-Min-Sequence')
  const requestId = patternOf('X-Request-Id')
  const keys = ['!', '~'.repeat(keyMaxLength), '', ' ', 'a b', 'é', 'a'.repeat(keyMaxLength + 1)]
  expect(keys.map((key) => patternOf('Idempotency-Key').test(key))).toEqual([
    ...[true, true],
    ...[false, false, false, false, false],
  ])
  for (const value of [
    '0',
    '42',
    '1'.repeat(15),
    '1'.repeat(16),
    '-1',
    '1.5',
    'x',
    'a.b:c_d-e',
    'a b',
    'é',
  ]) {
    if (/^[\x20-\x7e]*$/.test(value)) {
      const { status } = await sample.get('/api/v1/watches/1', { headers: { 'x-min-sequence': value } })
      expect([value, status === 422]).toEqual([value, !minSequence.test(value)])
    }
    const { headers } = await sample.get('/api/v1/watches/1', { headers: { 'x-request-id': value } })
    expect([value, headers.get('x-request-id') === value]).toEqual([value, requestId.test(value)])
  }
})

async function getList(query: string): Promise<Answer<'WatchList'>> {
  const response = await sample.get(`/api/v1/watches?${query}`)
  return (await response.json()) as Answer<'WatchList'>
}

/** `spec[a][gte]=1` → `{ 'a:gte': '1' }`, the properties of the parameter that the document declares. */
function specOf(query: string): Record<string, string> {
  const spec: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(query)) {
    const [, key = '', operator] = /^spec\[([^\]]+)\](?:\[(\w*)\])?$/.exec(name) ?? []
    const property = operator === undefined ? key : `${key}:${operator || 'any'}`
    spec[property] = spec[property] === undefined ? value : `${spec[property]},${value}`
  }
  return spec
}
