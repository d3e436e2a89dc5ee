// `watchdata account create`, `list`, `set-plan`, `suspend`, `delete`, `requests` and `decline`: creates, lists and
// deletes accounts, changes their plan and status, and lists and declines the plan requests of customers.
import {
  type Account,
  createAccount,
  listAccounts,
  type Role,
  setStatus,
} from '../../access/accounts/accounts.ts'
import { deleteForOperator } from '../../access/accounts/close-account.ts'
import { hashMailbox, resumeCount } from '../../access/accounts/deleted-counts.ts'
import { declinePlan, grantPlan, listWaiting } from '../../access/billing/operator-billing.ts'
import { createKey } from '../../access/keys/keys.ts'
import { dailyLimit, plans } from '../../access/plans/plans.ts'
import { provideSecret } from '../../access/sign-in/session-secret.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { confirm } from '../confirm.ts'
import { withCurrentDatabase, withMigratedDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table, tell } from '../output.ts'
import { addressOf, makeInvite, tellAddress } from './account-invite.ts'
import { getAccount, operatorName, parsePlan, withAccount } from './account-lookup.ts'

interface CreateOptions extends CommonOptions {
  readonly email: string
  readonly name?: string
  readonly plan: string
  readonly operator?: boolean
  readonly invite?: boolean
}

interface ListOptions extends CommonOptions {
  readonly plan?: string
  readonly after?: string
}

type SuspendOptions = CommonOptions & { readonly lift?: boolean }
type DeleteOptions = CommonOptions & { readonly yes?: boolean }

/** Accounts or requests printed at once. The oldest requests come first; more appear once these are decided. */
const listMax = 1_000

export async function createCommand({ json, email, operator, ...given }: CreateOptions): Promise<void> {
  const role: Role = operator ? 'operator' : 'consumer'
  const name = given.name ?? email.split('@')[0] ?? email
  const draft = { email, name, plan: parsePlan(given.plan), role, by: operatorName() }
  await withMigratedDatabase(async (database, config) => {
    const secret = await provideSecret(database, config)
    const key = await database.write(async (tx) => {
      const id = await createAccount(tx, systemClock, draft)
      await resumeCount(tx, systemClock, id, hashMailbox(secret, email))
      return createKey(tx, systemClock, id, 'first')
    })
    const account = await getAccount(database.reader, email)
    const invite = given.invite || operator ? await makeInvite(database, config, account.id) : undefined
    if (json) return printJson({ account, key, invite })
    print(createdText(account, key, invite, config))
    if (invite !== undefined) tellAddress(config)
  })
}

export async function listCommand({ json, plan, after }: ListOptions): Promise<void> {
  const wanted = {
    plan: plan === undefined ? undefined : parsePlan(plan),
    after: after?.trim().toLowerCase(),
  }
  const found = await withCurrentDatabase(({ reader }) =>
    listAccounts(reader, { ...wanted, limit: listMax + 1 }),
  )
  const accounts = found.slice(0, listMax)
  if (json) printJson(accounts)
  else if (accounts.length === 0) tell('No accounts.')
  else {
    const cells = accounts.map((one) => [one.email, one.plan, one.role, one.status, one.created_at, one.name])
    print(table([['email', 'plan', 'role', 'status', 'created', 'name'], ...cells]))
  }
  if (found.length > listMax) tell(`There are more: continue with --after ${accounts.at(-1)?.email}.`)
}

export async function setPlanCommand(email: string, raw: string, { json }: CommonOptions): Promise<void> {
  const plan = parsePlan(raw)
  await withAccount(email, async ({ database, account }) => {
    const isChanged = await database.write((tx) =>
      grantPlan(tx, systemClock, account.id, plan, operatorName()),
    )
    if (json) printJson({ account: { ...account, plan } })
    else print(`${account.email} is ${isChanged ? 'now' : 'already'} on the ${plans[plan].name} plan.`)
  })
}

export async function suspendCommand(email: string, { json, lift }: SuspendOptions): Promise<void> {
  await withAccount(email, async ({ database, account }) => {
    const status = lift ? 'active' : 'suspended'
    await database.write((tx) => setStatus(tx, account.id, status))
    if (json) printJson({ account: { ...account, status } })
    else if (lift) print(`${account.email} is active: its keys are valid again.`)
    else print(`${account.email} is suspended: its keys are rejected within a second.`)
  })
}

/** The operator confirms by typing the email on a terminal, or with --yes. */
export async function deleteCommand(email: string, { json, yes }: DeleteOptions): Promise<void> {
  await withAccount(email, async ({ database, account, config }) => {
    if (!yes) await confirm(`This deletes ${account.email} and its keys for good`, account.email)
    const mailbox = hashMailbox(await provideSecret(database, config), account.email)
    const limit = dailyLimit(account.plan, config.planLimits)
    await database.write((tx) => deleteForOperator(tx, systemClock, account.id, { mailbox, limit }))
    if (json) printJson({ deleted: account })
    else print(`Deleted ${account.email} with its keys and its usage.`)
  })
}

export async function requestsCommand({ json }: CommonOptions): Promise<void> {
  const requests = await withCurrentDatabase(({ reader }) => listWaiting(reader, listMax))
  if (json) printJson(requests)
  else if (requests.length === 0) tell('There are no open plan requests.')
  else {
    const cells = requests.map((one) => [one.asked_at, one.email, one.plan, one.asked_plan, one.name])
    print(table([['requested at', 'email', 'plan', 'requested', 'name'], ...cells]))
    tell('\n`watchdata account set-plan EMAIL PLAN` grants, `watchdata account decline EMAIL` declines.')
  }
}

export async function declineCommand(email: string, { json }: CommonOptions): Promise<void> {
  await withAccount(email, async ({ database, account }) => {
    const request = await database.write((tx) => declinePlan(tx, systemClock, account.id, operatorName()))
    if (request === undefined) throw new Failure(`${account.email} has no open plan request.`)
    if (json) printJson({ account, plan_request: request })
    else print(`Declined: ${account.email} stays on the ${plans[account.plan].name} plan.`)
  })
}

function createdText(
  { id, email, plan, role }: Account,
  key: string,
  invite: string | undefined,
  config: Config,
): string {
  const lines = [
    `Created ${email} on the ${plans[plan].name} plan${role === 'operator' ? ', as an operator' : ''}.`,
    '',
    `  Account  ${id}`,
    `  Key      ${key}`,
    ...(invite === undefined
      ? []
      : [`  Invite   ${invite}`, '           open it to choose a password, once and within a day']),
    '',
    'The key is shown only now. Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' '${addressOf(config)}/api/v1/watches?per_page=1'`,
  ]
  return lines.join('\n')
}
