// Serves /api/account: the signed-in user's own account. It is not part of the public API: it requires a session
// instead of a key, and nothing is charged.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AccountOverview, DayOfUse } from '../../../../web/account-api.ts'
import { findAccount, renameAccount } from '../../../access/accounts/accounts.ts'
import { closeAccount, refuseLastOperator } from '../../../access/accounts/close-account.ts'
import type { KeyCache } from '../../../access/keys/key-cache.ts'
import type { Quota } from '../../../access/plans/quota.ts'
import { readStatuses, readUsage } from '../../../access/plans/usage.ts'
import type { RequestLog } from '../../../access/request-log/request-log.ts'
import type { SignedIn } from '../../../access/sign-in/sessions.ts'
import { Problem } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import { fieldsOf } from '../../api/json-body.ts'
import { watchMethods } from '../../api/methods.ts'
import { askForSession, type SessionParts, textOf, who } from '../../pages/signed-in.ts'
import { visitorHeaders } from '../../pages/visitor.ts'
import { accountKeyRoutes, type KeyParts } from './keys.ts'
import { accountPlanRoutes, type PlanParts } from './plan.ts'
import { accountRequestRoutes } from './requests.ts'
import { type AccountWebhookParts, accountWebhookRoutes } from './webhooks.ts'

export interface AccountParts extends SessionParts, KeyParts, PlanParts, AccountWebhookParts {
  readonly database: Database
  readonly callers: KeyCache
  readonly quota: Quota
  readonly requests: RequestLog
}

const secondMs = 1_000

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
      accountRequestRoutes(account, parts)
      refuseOtherMethods()
      account.register(async (webhooks) => accountWebhookRoutes(webhooks, parts))
    },
    { prefix: '/api/account' },
  )
}

async function describeAccount(parts: AccountParts, signedIn: SignedIn): Promise<AccountOverview> {
  const { accountId, plan, email, name, role, emailVerified, hasSecondFactor } = signedIn
  const { limit, used, remaining, resetSeconds } = await parts.quota.peek({ accountId, plan })
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
    usage: {
      limit,
      used,
      remaining,
      reset: new Date(resetSeconds * secondMs).toISOString(),
      days: await describeDays(parts, accountId, used),
    },
  }
}

async function describeDays(
  { database: { reader }, quota, requests }: AccountParts,
  accountId: string,
  usedToday: number,
): Promise<DayOfUse[]> {
  await requests.settle()
  const today = quota.today()
  const days = await readUsage(reader, accountId, today)
  const statuses = await readStatuses(reader, accountId, days[0]?.date ?? today)
  return days.map(({ date, used }) => ({
    date,
    // Today's count is newer than the stored one.
    used: date === today ? usedToday : used,
    statuses: statuses.get(date) ?? {},
  }))
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
  { database, sessions, callers, baseUrl }: AccountParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const signedIn = who(request)
  const { accountId } = signedIn
  const sent = fieldsOf(request, 'password')
  // Checked first, so that a one-time code is not used up in vain.
  await refuseLastOperator(database.reader, accountId)
  await sessions.confirm(signedIn, visitorHeaders(request, baseUrl), sent)
  await closeAccount(database, accountId)
  callers.forget(accountId)
  return reply.code(204).header('set-cookie', sessions.endedCookie).send()
}
