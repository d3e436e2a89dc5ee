// Sends the examples, for the script that records their responses and the test that compares them. Responses depend
// on the requests before them (quota, state of a webhook), so the order is fixed here.
import { type PlanName, plans } from '../../../access/plans/plans.ts'
import { problems } from '../../../errors.ts'
import type { Example, Operation } from '../operations/operation.ts'
import { askerOf, servedBy } from '../operations/operation-rules.ts'
import { operations } from '../operations/operations.ts'
import { answerHeaders } from '../operations/response-headers.ts'
import { type ExampleAnswer, exampleKey } from './examples.ts'

export interface ExampleRequest {
  readonly method: string
  /** Path and query below /api/v1. */
  readonly request: string
  readonly body?: object
}

/** Sends a request with an account of the plan, the same account every time. */
type Ask = (request: ExampleRequest, plan: PlanName) => Promise<Response>

/** Requests sent first, so that the usage of the account is not empty. */
const requestsBefore = 12
const requestsMax = plans.platinum.requestsPerDay
const anyRequest = { method: 'GET', request: '/watches/1' }
/** The plan of the account whose usage is shown, and whose quota is used up at the end. */
const usualPlan = 'free'
const spentStatus = problems.too_many_requests.status

const turns = ['free', 'read', 'posted', 'changed', 'deleted', 'spent'] as const
type Turn = (typeof turns)[number]

/** Requires accounts with unused quotas. The account with the largest plan has the webhooks of example-webhook.ts. */
export async function askExamples(ask: Ask): Promise<Record<string, ExampleAnswer>> {
  const answers: Record<string, ExampleAnswer> = {}
  for (let asked = 0; asked < requestsBefore; asked++) await (await ask(anyRequest, usualPlan)).text()
  for (const turn of turns) {
    if (turn === 'spent') await spendTheDay(ask)
    for (const operation of operations) {
      for (const example of operation.examples) {
        if (turnOf(operation, example) !== turn) continue
        const response = await ask(requestOf(operation, example), askerOf(operation))
        answers[exampleKey(operation, example)] = await toExampleAnswer(example, response)
      }
    }
  }
  return answers
}

export function requestOf({ method }: Operation, { request, body }: Example): ExampleRequest {
  return { method, request, ...(body !== undefined && { body }) }
}

/** The options of `fetch` for the request. */
export function fetchOptions({ method, body }: ExampleRequest): RequestInit {
  if (body === undefined) return { method }
  return { method, body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
}

function turnOf(operation: Operation, { status }: Example): Turn {
  if (status === spentStatus) return 'spent'
  if (servedBy(operation).cost === 'free') return 'free'
  return turnOfMethod[operation.method]
}

/** PATCH comes after POST, because a paused webhook would have no redelivery to show. */
const turnOfMethod: Record<Operation['method'], Turn> = {
  GET: 'read',
  POST: 'posted',
  PATCH: 'changed',
  DELETE: 'deleted',
}

async function spendTheDay(ask: Ask): Promise<void> {
  for (let asked = 0; asked < requestsMax; asked++) {
    const response = await ask(anyRequest, usualPlan)
    await response.text()
    if (response.status === spentStatus) return
  }
}

/** The part of a response that is stored. */
async function toExampleAnswer({ headers = [] }: Example, response: Response): Promise<ExampleAnswer> {
  const shown = headers.map((header) => {
    const { name } = answerHeaders[header]
    return [name, response.headers.get(name) ?? ''] as const
  })
  const text = await response.text()
  return {
    status: response.status,
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
    ...(text !== '' && { body: JSON.parse(text, withoutChance) }),
  }
}

/** Replaces values that differ from run to run with fixed ones, and removes secrets. */
function withoutChance(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (name === 'secret') return value.replace(/^whsec_.+$/, 'whsec_…')
  if (name === 'id')
    return value.replace(/^evt_test_[\da-f-]+$/, 'evt_test_5f6c5e0e-8f3f-4e0b-9d7c-3c1f8f6b2a10')
  if (name !== 'next_cursor') return value
  return value.replace(/^[\da-f]{8}-(\d+)-[\da-f]{12}$/, '1f0c2a9b-$1-8d3f0a61c2e4')
}
