// Derives from the table of operations the problems and statuses that a caller of the operation can meet. They are served by the
// same table, so the document cannot contradict them.
import assert from 'node:assert/strict'
import { type Grant, hasGrant, type PlanName, planNames } from '../../../access/plans/plans.ts'
import { type ProblemCode, problems } from '../../../errors.ts'
import { findOperation, type Operation as Served } from '../../operations/operations.ts'
import type { Operation } from './operation.ts'

/** All statuses of a request that reached the operation, in order. */
export function statusesOf(operation: Operation): readonly number[] {
  const refused = problemsOf(operation).map((code) => problems[code].status)
  return [operation.status, ...(isConditional(operation) ? [304] : []), ...refused]
}

/**
 * Includes `too_many_requests` always: the burst guard checks every request, even free ones. So is `invalid`: every
 * operation reads `X-Min-Sequence`, and may refuse its query string.
 */
export function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { grant } = servedBy(operation)
  const ofPlan: ProblemCode[] = canBeLacking(grant) ? ['plan_excludes'] : []
  return ['unauthenticated', ...ofPlan, ...operation.problems, 'invalid', 'too_many_requests']
}

/** The entry of the table by which the operation is served. */
export function servedBy({ method, path }: Pick<Operation, 'method' | 'path'>): Served {
  const served = findOperation(method, path.replaceAll(/\{(\w+)\}/g, ':$1'))
  assert(served !== undefined, `${method} ${path} has no entry in the table of operations`)
  return served
}

/** Whether the response has an ETag, so that it can be 304. */
export function isConditional(operation: Operation): boolean {
  const { cost } = servedBy(operation)
  return cost === 'one unless 304' || cost === 'one when sent'
}

/** Whether a repetition with the same Idempotency-Key gets the first response. */
export function isRepeatable({ headers }: Operation): boolean {
  return headers.includes('idempotentReplayed')
}

/** The plan to send the examples with: one that has the operation's grant, and so gets no refusal. */
export function askerOf(operation: Operation): PlanName {
  return canBeLacking(servedBy(operation).grant) ? largestPlan : (planNames[0] as PlanName)
}

const largestPlan = planNames.at(-1) as PlanName

function canBeLacking(grant: Grant): boolean {
  return planNames.some((plan) => !hasGrant(plan, grant))
}
