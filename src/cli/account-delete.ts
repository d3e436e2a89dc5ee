// `watchdata account delete EMAIL`: the account and all that is its own, for good. So it asks first: on a terminal by
// having the e-mail typed, elsewhere by --yes.
import { createInterface } from 'node:readline'
import { deleteAccount } from '../access/accounts.ts'
import { Failure } from '../errors.ts'
import { withAccount } from './account-lookup.ts'
import { type CommonOptions, print, printJson } from './output.ts'

interface DeleteOptions extends CommonOptions {
  readonly yes?: boolean
}

export async function deleteCommand(email: string, { json, yes }: DeleteOptions): Promise<void> {
  await withAccount(email, async ({ database, account }) => {
    if (!yes) await confirm(account.email)
    await database.write((tx) => deleteAccount(tx, account.id))
    if (json) printJson({ deleted: account })
    else print(`Deleted ${account.email} with its keys and its counts.`)
  })
}

async function confirm(email: string): Promise<void> {
  if (!process.stdin.isTTY) {
    throw new Failure(`This deletes ${email} and its keys for good: say --yes where nobody can be asked.`)
  }
  const typed = await ask(`This deletes ${email} and its keys for good. Type the e-mail to go on: `)
  if (typed.trim().toLowerCase() !== email) throw new Failure(`${email} was not typed: nothing is deleted.`)
}

/** What was typed; nothing when the terminal is closed instead. On stderr, since stdout is for data. */
function ask(question: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.question(question, resolve)
  terminal.once('close', () => resolve(''))
  return promise.finally(() => terminal.close())
}
