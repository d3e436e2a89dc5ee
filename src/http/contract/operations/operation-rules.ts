// In charge of what follows for an operation from the rule of its route: the problems and the statuses that its caller
// meets. The table that the routes run by decides, so the document cannot say something else.
import assert from 'node:assert/strict'
import { type Grant, hasGrant, type PlanName, planNames } from '../../../access/plans/plans.ts'
import { type ProblemCode, problems } from '../../../errors.ts'
import { type RouteRule, routeRules } from '../../api/route-rules.ts'
import { methodOf, type Operation, statusOf } from './operation.ts'

/** Of a request that got as far as the operation, in order. */
export function statusesOf(operation: Operation): readonly number[] {
  const refused = problemsOf(operation).map((code) => problems[code].status)
  return [statusOf(operation), ...(ruleOf(operation).isConditional ? [304] : []), ...refused]
}

/** The burst guard looks at every request, so that even what is free can be too much. */
export function problemsOf(operation: Operation): readonly ProblemCode[] {
  const { grant } = ruleOf(operation)
  const ofPlan: ProblemCode[] = canBeLacking(grant) ? ['plan_excludes'] : []
  return ['unauthenticated', ...ofPlan, ...operation.problems, 'too_many_requests']
}

export function ruleOf(operation: Pick<Operation, 'method' | 'path'>): RouteRule {
  const name = `${methodOf(operation)} ${operation.path.replaceAll(/\{(\w+)\}/g, ':$1')}`
  const rule = routeRules[name]
  assert(rule !== undefined, `${name} has no line in the table of route rules`)
  return rule
}

/** Who can ask for all that the operation has: by a plan without its grant he would see a refusal. */
export function askerOf(operation: Operation): PlanName {
  return canBeLacking(ruleOf(operation).grant) ? largestPlan : (planNames[0] as PlanName)
}

const largestPlan = planNames.at(-1) as PlanName

function canBeLacking(grant: Grant): boolean {
  return planNames.some((plan) => !hasGrant(plan, grant))
}
