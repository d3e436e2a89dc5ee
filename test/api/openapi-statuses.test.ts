// Tests that every status in the OpenAPI document occurs, with the documented headers and cost.
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { exampleAddresses } from '../../src/http/contract/examples/example-webhook.ts'
import { fetchOptions, requestOf } from '../../src/http/contract/examples/request-examples.ts'
import type { Example, Operation } from '../../src/http/contract/operations/operation.ts'
import { askerOf, servedBy, statusesOf } from '../../src/http/contract/operations/operation-rules.ts'
import { operations } from '../../src/http/contract/operations/operations.ts'
import { freeStatuses } from '../../src/http/contract/operations/quota-rules.ts'
import type { Answer } from '../../src/http/contract/schemas.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { layOutWebhooks } from './example-webhooks.ts'
import { documented, expectValid, responseOf, schemaOf } from './openapi-document.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'
import { startSmallServer } from './running-server.ts'

const engine = createEngine()
const shared = share(() => startPlanServer(engine, exampleAddresses.env))
/** A server whose daily quota is spent, and whose burst limit is reached after one request. */
const spent = share(() => startSmallServer(engine, { PLAN_LIMITS: 'free=0', BURST_LIMIT: '1' }))
/** Headers that are not sent with every response that may have them. */
const occasionalHeaders = [
  '200 X-Unknown-Spec-Keys',
  '200 X-Unknown-Words',
  '200 X-Did-You-Mean',
  '201 X-Unknown-Spec-Keys',
  '201 X-Did-You-Mean',
  ...[200, 201, 202].map((status) => `${status} Idempotent-Replayed`),
  ...[200, 201, 202, 204].map((status) => `${status} X-Unknown-Parameters`),
  'default Retry-After',
  'default X-Catalogue-Sequence',
]

test('every documented status of every operation occurs, with its headers and schema', async () => {
  const server = await shared().forOthers()
  await spent().get('/api/v1/watches')
  for (const operation of operations) {
    const statuses = Object.keys(documented(operation).responses)
    expect(statuses).toEqual([...statusesOf(operation).map(String), 'default'])
    for (const name of statuses) {
      const what = `${operation.id} ${name}`
      const { headers = {}, content } = responseOf(operation, name)
      const response = await bringAbout(server, operation, name)
      const body = await response.text()
      expect([what, response.status]).toEqual([what, name === 'default' ? 414 : Number(name)])
      // Only test keys have it: see test-keys.test.ts.
      const ofLive = Object.keys(headers).filter((header) => header !== 'X-Test-Mode')
      const missing = ofLive.filter((header) => !response.headers.has(header))
      const wanting = missing.filter((header) => !occasionalHeaders.includes(`${name} ${header}`))
      expect([what, wanting]).toEqual([what, []])
      if (content === undefined) expect([what, body]).toEqual([what, ''])
      else expectValid(schemaOf({ content }), 'application/json' in content ? JSON.parse(body) : body, what)
    }
  }
})

test('every response has the three quota headers, and costs what the document says', async () => {
  const server = await shared().forOthers()
  await spent().get('/api/v1/watches')
  const resetSeconds = String(Date.parse('2026-03-02T00:00:00Z') / 1_000)
  const standing = ({ headers }: { headers: Headers }) => {
    expect(headers.get('x-ratelimit-reset')).toBe(resetSeconds)
    return [headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')].map(Number)
  }
  const used = { free: 0, pro: 0, platinum: 0 }
  for (const operation of operations) {
    for (const name of [...statusesOf(operation), 405, 'preflight', 'default']) {
      const what = `${operation.id} ${name}`
      const isKnown = !['preflight', 'default', 401, 429].includes(name)
      const isFree =
        (servedBy(operation).cost === 'free' && (name === operation.status || name === 422)) ||
        freeStatuses.includes(Number(name))
      const plan = planFor(operation, String(name))
      const [limit, remaining = 0] = standing(await bringAbout(server, operation, String(name)))
      if (isKnown && !isFree) used[plan]++
      const toldUsed = isKnown || name === 'default'
      if (toldUsed) expect([what, limit, remaining]).toEqual([what, 1_000_000, 1_000_000 - used[plan]])
      else expect([what, remaining]).toEqual([what, 0])
    }
  }
  const { data } = (await (await server.ask('free', '/usage')).json()) as Answer<'UsageAnswer'>
  expect([data.used, data.remaining]).toEqual([used.free, 1_000_000 - used.free])
})

/** Sends one request for the operation that gets the given status. */
async function bringAbout(server: PlanServer, operation: Operation, status: string): Promise<Response> {
  const { path, answers, examples } = operation
  const ofStatus = examples.filter((one) => String(one.status) === status)
  const isUsual = ({ answer }: Example) => answer !== undefined && answers.includes(answer)
  const example = ofStatus.find(isUsual) ?? ofStatus[0] ?? examples[0]
  const { request, ...rest } = example === undefined ? { request: path } : requestOf(operation, example)
  const sent = fetchOptions({ request, method: operation.method, ...rest })
  const url = `/api/v1${request}`
  const ask = (options: RequestInit = sent) => server.ask(planFor(operation, status), request, options)
  if (operation.tag === 'Webhooks') await layOutWebhooks(server)
  const preflight = { origin: 'https://a.example', 'access-control-request-method': 'GET' }
  switch (status) {
    case '304': {
      // With another account, so that this one is not charged.
      const { headers } = await shared().ask(planFor(operation, status), request, sent)
      return ask({ headers: { 'if-none-match': headers.get('etag') ?? '' } })
    }
    case '401':
      return fetch(server.baseUrl + url, sent)
    case '403':
      // A list is what this plan may not send.
      if (operation.id !== 'resolve') return ask()
      return ask({ ...sent, body: JSON.stringify({ texts: ['Hulk', 'Kermit'] }) })
    case '405':
      return ask({ method: 'PUT' })
    case '410': {
      // As if the first changes were deleted.
      const firstChanges = (from: number, to: number) =>
        server.database.write((tx) =>
          tx
            .updateTable('changes')
            .set({ sequence: sql`-sequence` })
            .where('sequence', '>=', from)
            .where('sequence', '<=', to)
            .execute(),
        )
      await firstChanges(1, 4)
      try {
        return await ask()
      } finally {
        await firstChanges(-4, -1)
      }
    }
    case '422':
      // Every operation reads this header; those with an example of their own show what else they refuse.
      if (example?.status === 422) return ask()
      return ask({ ...sent, headers: { ...sent.headers, 'x-min-sequence': 'x' } })
    case '429':
      return spent().get(url, sent)
    case 'preflight':
      return fetch(server.baseUrl + url, { method: 'OPTIONS', headers: preflight })
    case 'default':
      return server.ask(
        planFor(operation, status),
        `${path.replaceAll(/\{\w+\}/g, '1')}?${'x'.repeat(9_000)}`,
      )
    default:
      return ask()
  }
}

/** The plan to request with: for 403, one without access. */
function planFor(operation: Operation, status: string): PlanName {
  return status === '403' ? 'free' : askerOf(operation)
}
