// Looks up what an operator names on the command line: an account by its email, a plan by its name. It also names the
// operator for the records of changes.
import { userInfo } from 'node:os'
import { type Account, findAccount } from '../../access/accounts/accounts.ts'
import { type PlanName, planNames } from '../../access/plans/plans.ts'
import type { Config } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { hideSecrets } from '../../secrets.ts'
import type { Database, Reader } from '../../storage/database.ts'
import { withCurrentDatabase } from '../database-command.ts'

interface Found {
  readonly database: Database
  readonly config: Config
  readonly account: Account
}

/** Runs `work` with the database and the account of that email. */
export function withAccount<T>(email: string, work: (found: Found) => Promise<T>): Promise<T> {
  return withCurrentDatabase(async (database, config) =>
    work({ database, config, account: await getAccount(database.reader, email) }),
  )
}

export async function getAccount(reader: Reader, email: string): Promise<Account> {
  const account = await findAccount(reader, email)
  if (account !== undefined) return account
  // An argument that is no email may be a secret in the wrong place.
  throw new Failure(
    `There is no account ${hideSecrets(email)}: \`watchdata account list\` shows all accounts.`,
  )
}

export function parsePlan(raw: string): PlanName {
  const plan = planNames.find((name) => name === raw.toLowerCase())
  if (plan !== undefined) return plan
  throw new Failure(`There is no plan ${hideSecrets(raw)}: choose one of ${planNames.join(', ')}.`)
}

/** The name recorded with a change: `command line (root)`. */
export function operatorName(): string {
  try {
    return `command line (${userInfo().username})`
  } catch {
    // A container may run as a user without a name.
    return `command line (user ${process.getuid?.()})`
  }
}
