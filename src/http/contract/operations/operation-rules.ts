// Derives from a route's rule the problems and statuses that a caller of the operation can meet. The routes use the
// same table, so the document cannot contradict them.
import assert from 'node:assert/strict'
import { type Grant, hasGrant, type PlanName, planNames } from '../../../access/plans/plans.ts'
import { type ProblemCode, problems } from '../../../errors.ts'
import { type RouteRule, routeRules } from '../../api/route-rules.ts'
import type { Operation } from './operation.ts'

/** All statuses of a request that reached the operation, in order. */
export function statusesOf(operation: Operation): readonly number[] {
  const refused = problemsOf(operation).map((code) => problems[code].status)
  return [operation.status, ...(ruleOf(operation).isConditional ? [304] : []), ...refused]
}

/** Includes `too_many_requests` always: the burst guard checks every request, even free ones. */
export function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { grant } = ruleOf(operation)
  const ofPlan: ProblemCode[] = canBeLacking(grant) ? ['plan_excludes'] : []
  return ['unauthenticated', ...ofPlan, ...operation.problems, 'too_many_requests']
}

export function ruleOf({ method, path }: Pick<Operation, 'method' | 'path'>): RouteRule {
  const name = `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  const rule = routeRules[name]
  assert(rule !== undefined, `${name} has no entry in routeRules`)
  return rule
}

/** The plan to send the examples with: one that has the operation's grant, and so gets no refusal. */
export function askerOf(operation: Operation): PlanName {
  return canBeLacking(ruleOf(operation).grant) ? largestPlan : (planNames[0] as PlanName)
}

const largestPlan = planNames.at(-1) as PlanName

function canBeLacking(grant: Grant): boolean {
  return planNames.some((plan) => !hasGrant(plan, grant))
}
