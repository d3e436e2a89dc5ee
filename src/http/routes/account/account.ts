// Serves /api/account: the signed-in user's own account. It is not part of the public API: it requires a session
// instead of a key, and nothing is charged.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountOverview, DayOfUse, RequestPage } from '../../../../web/account-api.ts'
import { findAccount, renameAccount } from '../../../access/accounts/accounts.ts'
import { type CloseParts, closeAccount, refuseLastOperator } from '../../../access/accounts/close-account.ts'
import { readStatuses } from '../../../access/plans/usage.ts'
import { listRequests, type RequestLog } from '../../../access/request-log/request-log.ts'
import type { SignedIn } from '../../../access/sign-in/sessions.ts'
import { Problem } from '../../../errors.ts'
import { describeUsage } from '../../operations/usage.ts'
import { watchMethods } from '../../pages/methods.ts'
import { askForSession, type SessionParts, textOf, who } from '../../pages/signed-in.ts'
import { visitorHeaders } from '../../pages/visitor.ts'
import { fieldsOf } from '../../queries/json-body.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'
import { parseRequestsQuery } from '../../queries/requests-query.ts'
import { accountKeyRoutes, type KeyParts } from './keys.ts'
import { accountPlanRoutes, type PlanParts } from './plan.ts'
import { type AccountWebhookParts, accountWebhookRoutes } from './webhooks.ts'

export interface AccountParts extends SessionParts, KeyParts, PlanParts, AccountWebhookParts, CloseParts {
  readonly requests: RequestLog
}

export function accountRoutes(app: FastifyInstance, parts: AccountParts): void {
  app.decorateRequest('signedIn', undefined)
  app.register(
    async (account) => {
      askForSession(account, parts)
      const refuseOtherMethods = watchMethods(account)
      account.get('', async (request) => ({ data: await describeAccount(parts, who(request)) }))
      account.patch('', async (request) => ({ data: await changeAccount(parts, request) }))
      account.delete('', (request, reply) => leave(parts, request, reply))
      accountKeyRoutes(account, parts)
      accountPlanRoutes(account, parts)
      account.get('/requests', (request) => listCalls(parts, request))
      refuseOtherMethods()
      account.register(async (webhooks) => accountWebhookRoutes(webhooks, parts))
    },
    { prefix: '/api/account' },
  )
}

async function describeAccount(parts: AccountParts, signedIn: SignedIn): Promise<AccountOverview> {
  const { accountId, plan, email, name, role, emailVerified, hasSecondFactor } = signedIn
  const usage = await describeUsage(parts.database.reader, parts.quota, signedIn)
  const account = await findAccount(parts.database.reader, email)
  if (account === undefined) throw new Problem('unauthenticated')
  return {
    email,
    name,
    role,
    plan,
    email_verified: emailVerified,
    has_second_factor: hasSecondFactor,
    created_at: account.created_at,
    usage: { ...usage, days: await addStatuses(parts, accountId, usage.days) },
  }
}

async function addStatuses(
  { database, requests }: AccountParts,
  accountId: string,
  days: readonly Omit<DayOfUse, 'statuses'>[],
): Promise<DayOfUse[]> {
  await requests.settle()
  const statuses = await readStatuses(database.reader, accountId, days[0]?.date ?? '')
  return days.map((day) => ({ ...day, statuses: statuses.get(day.date) ?? {} }))
}

/** The latest API calls, page by page. */
async function listCalls(parts: AccountParts, request: FastifyRequest): Promise<RequestPage> {
  const wanted = parseRequestsQuery(rawQueryOf(request))
  // Flushes the request log, so that a call just made is included.
  await parts.requests.settle()
  // Reads one more than the limit, to see whether there is another page.
  const more = { ...wanted, limit: wanted.limit + 1 }
  const found = await listRequests(parts.database.reader, who(request).accountId, more)
  const data = found.slice(0, wanted.limit)
  return { data, meta: { next: found.length > data.length ? (data.at(-1)?.id ?? null) : null } }
}

/** Changes the name; ignores all other fields of the body. */
async function changeAccount(parts: AccountParts, request: FastifyRequest): Promise<AccountOverview> {
  const signedIn = who(request)
  const name = textOf(fieldsOf(request, 'name').name)
  await parts.database.write((tx) => renameAccount(tx, signedIn.accountId, name))
  return describeAccount(parts, { ...signedIn, name: name.trim() })
}

/** Deletes the account for good, with everything it owns, after its owner has confirmed. */
async function leave(
  parts: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { database, sessions, callers, baseUrl } = parts
  const signedIn = who(request)
  const { accountId } = signedIn
  const sent = fieldsOf(request, 'password')
  // Checked first, so that a one-time code is not used up in vain.
  await refuseLastOperator(database.reader, accountId)
  await sessions.confirm(signedIn, visitorHeaders(request, baseUrl), sent)
  await closeAccount(parts, signedIn)
  callers.forget(accountId)
  return reply.code(204).header('set-cookie', sessions.endedCookie).send()
}
