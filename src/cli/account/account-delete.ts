// `watchdata account delete EMAIL`: deletes an account and all its data for good. The operator confirms by typing the
// email on a terminal, or with --yes.
import { deleteAccount } from '../../access/accounts/accounts.ts'
import { confirm } from '../confirm.ts'
import { type CommonOptions, print, printJson } from '../output.ts'
import { withAccount } from './account-lookup.ts'

interface DeleteOptions extends CommonOptions {
  readonly yes?: boolean
}

export async function deleteCommand(email: string, { json, yes }: DeleteOptions): Promise<void> {
  await withAccount(email, async ({ database, account }) => {
    if (!yes) await confirm(`This deletes ${account.email} and its keys for good`, account.email)
    await database.write((tx) => deleteAccount(tx, account.id))
    if (json) printJson({ deleted: account })
    else print(`Deleted ${account.email} with its keys and its usage.`)
  })
}
