// `watchdata account delete EMAIL`: the account and all that is its own, for good. So it asks first: on a terminal by
// having the e-mail typed, elsewhere by --yes.
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
    else print(`Deleted ${account.email} with its keys and its counts.`)
  })
}
