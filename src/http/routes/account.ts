// /api/account: what a person who has signed in sees and does with their own account: keys, use, plan. Not part of the
// API that keys are for; a session is asked for, and nothing is charged.
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Billing } from '../../access/billing.ts'
import { issueKey, listKeys, renameKey, revokeKey, rollKey } from '../../access/keys.ts'
import { type PlanName, planNames } from '../../access/plans.ts'
import type { Quota } from '../../access/quota.ts'
import type { Sessions, SignedIn } from '../../access/sessions.ts'
import { readUsage } from '../../access/usage.ts'
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'
import type { Database } from '../../storage/database.ts'
import { watchMethods } from '../methods.ts'
import { refuseForeigners, visitorHeaders } from '../visitor.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on everything under /api/account. */
    signedIn: SignedIn | undefined
  }
}

export interface AccountParts {
  readonly database: Database
  readonly clock: Clock
  readonly sessions: Sessions
  readonly quota: Quota
  readonly billing: Billing
  readonly baseUrl: string
}

type KeyRoute = { Params: { id: string } }
const dayMs = 86_400_000
const hourMs = 3_600_000
const secondMs = 1_000

export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  const { sessions, baseUrl } = parts
  app.decorateRequest('signedIn', undefined)
  app.register(
    async (account) => {
      refuseForeigners(account, baseUrl)
      account.addHook('onRequest', async (request) => {
        request.signedIn = await sessions.find(visitorHeaders(request, baseUrl))
        if (request.signedIn === undefined) throw new Problem('unauthenticated')
      })
      const refuseOtherMethods = watchMethods(account)
      account.get('', async (request) => ({ data: await describeAccount(parts, who(request)) }))
      keyRoutes(account, parts)
      planRoutes(account, parts)
      refuseOtherMethods()
    },
    { prefix: '/api/account' },
  )
}

async function describeAccount({ database, quota }: AccountParts, signedIn: SignedIn) {
  const { accountId, plan, email, name, role, emailVerified, hasSecondFactor } = signedIn
  const { limit, used, remaining, resetSeconds } = await quota.peek({ accountId, plan })
  const days = await readUsage(database.reader, accountId, quota.today())
  return {
    email,
    name,
    role,
    plan,
    email_verified: emailVerified,
    has_second_factor: hasSecondFactor,
    usage: { limit, used, remaining, reset: new Date(resetSeconds * secondMs).toISOString(), days },
  }
}

function keyRoutes(account: FastifyInstance, { database, clock }: AccountParts): void {
  account.get('/keys', async (request) => ({
    data: await listKeys(database.reader, clock, who(request).accountId),
  }))
  account.post('/keys', async (request, reply) => {
    const { name, expires_in_days } = fieldsOf(request)
    const days = findCount(expires_in_days, 'expires_in_days')
    const expiresAt = days === undefined ? undefined : new Date(clock.nowMs() + days * dayMs)
    const draft = { name: textOf(name), expiresAt }
    const made = await database.write((tx) => issueKey(tx, clock, who(request).accountId, draft))
    return reply.code(201).send({ data: made })
  })
  account.patch<KeyRoute>('/keys/:id', async (request, reply) => {
    const { name } = fieldsOf(request)
    const { accountId } = who(request)
    await database.write((tx) => renameKey(tx, clock, accountId, request.params.id, textOf(name)))
    return reply.code(204).send()
  })
  account.delete<KeyRoute>('/keys/:id', async (request, reply) => {
    await database.write((tx) => revokeKey(tx, clock, who(request).accountId, request.params.id))
    return reply.code(204).send()
  })
  account.post<KeyRoute>('/keys/:id/roll', async (request, reply) => {
    const hours = findCount(fieldsOf(request).overlap_hours, 'overlap_hours')
    const overlapMs = hours === undefined ? undefined : hours * hourMs
    const { accountId } = who(request)
    const made = await database.write((tx) => rollKey(tx, clock, accountId, request.params.id, overlapMs))
    return reply.code(201).send({ data: made })
  })
}

function planRoutes(account: FastifyInstance, { billing }: AccountParts): void {
  account.get('/plan-request', async (request) => ({
    data: (await billing.findWaiting(who(request).accountId)) ?? null,
  }))
  account.post('/plan-request', async (request, reply) => {
    const asked = await billing.askForPlan(who(request).accountId, parsePlan(fieldsOf(request).plan))
    return reply.code(201).send({ data: asked })
  })
  account.delete('/plan-request', async (request, reply) => {
    if (!(await billing.withdraw(who(request).accountId))) throw new Problem('not_found')
    return reply.code(204).send()
  })
}

function who({ signedIn }: FastifyRequest): SignedIn {
  if (signedIn === undefined) throw new Problem('unauthenticated')
  return signedIn
}

function fieldsOf({ body }: FastifyRequest): Record<string, unknown> {
  if (body === undefined || body === null) return {}
  if (typeof body !== 'object' || Array.isArray(body)) throw new Problem('bad_request')
  return body as Record<string, unknown>
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function findCount(value: unknown, field: string): number | undefined {
  if (value === undefined || value === null) return undefined
  if (Number.isInteger(value) && (value as number) >= 0) return value as number
  const name = field.replaceAll('_', ' ')
  throw new Problem('invalid', { errors: { [field]: [`The ${name} must be a whole number.`] } })
}

function parsePlan(value: unknown): PlanName {
  const plan = planNames.find((name) => name === value)
  if (plan !== undefined) return plan
  throw new Problem('invalid', { errors: { plan: [`The plan must be one of ${planNames.join(', ')}.`] } })
}
