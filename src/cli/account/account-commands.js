// Defines the options of `watchdata account` and `watchdata key`.
import { add, wholeNumber } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} account */
export function addAccount(account) {
  add(account, 'create', 'make an account and a key, and the database if there is none')
    .requiredOption('--email <email>', 'email of the owner')
    .option('--name <name>', 'name of the account (default: the email before its @)')
    .option('--plan <plan>', 'free, pro or platinum', 'free')
    .option('--operator', 'for someone who runs the service; prints an invite')
    .option('--invite', 'print a link to choose a password')
    .action(async (options) => (await import('./account.ts')).createCommand(options))
  add(account, 'list', 'list the accounts by email')
    .option('--plan <plan>', 'only those on this plan')
    .option('--after <email>', 'only those after this email')
    .action(async (options) => (await import('./account.ts')).listCommand(options))
  add(account, 'show <email>', 'show an account, its keys, its plans and its plan request').action(
    async (email, options) => (await import('./account-show.ts')).showCommand(email, options),
  )
  add(account, 'invite <email>', 'print a link for the owner to choose a password').action(
    async (email, options) => (await import('./account-invite.ts')).inviteCommand(email, options),
  )
  add(account, 'set-plan <email> <plan>', 'change the plan at once, requested or not').action(
    async (email, plan, options) => (await import('./account.ts')).setPlanCommand(email, plan, options),
  )
  add(account, 'suspend <email>', 'reject all keys of an account')
    .option('--lift', 'accept its keys again')
    .action(async (email, options) => (await import('./account.ts')).suspendCommand(email, options))
  add(account, 'delete <email>', 'delete an account and all its data')
    .option('--yes', 'do not ask for confirmation')
    .action(async (email, options) => (await import('./account.ts')).deleteCommand(email, options))
  add(account, 'requests', 'list the open plan requests').action(async (options) =>
    (await import('./account.ts')).requestsCommand(options),
  )
  add(account, 'decline <email>', 'decline the plan request of an account').action(async (email, options) =>
    (await import('./account.ts')).declineCommand(email, options),
  )
}

/** @param {Command} key */
export function addKey(key) {
  const named = '<email> <id-or-hint>'
  add(key, 'create <email>', 'make a key and print it, once')
    .option('--name <name>', 'what it is for', 'key')
    .option('--expires <days>', 'days it is valid (default: until it is revoked)', wholeNumber)
    .option('--test', 'a test key, which reads the sample catalogue and costs no quota')
    .action(async (email, options) => (await import('./key.ts')).createCommand(email, options))
  add(key, 'list <email>', 'list the keys of an account, without secrets').action(async (email, options) =>
    (await import('./key.ts')).listCommand(email, options),
  )
  add(key, `revoke ${named}`, 'revoke a key for good').action(async (email, id, options) =>
    (await import('./key.ts')).revokeCommand(email, id, options),
  )
  add(key, `roll ${named}`, 'replace a key with a new one; the old key stays valid for a while')
    .option('--overlap <hours>', 'how long the old key stays valid, at most 168', wholeNumber, 24)
    .action(async (email, id, options) => (await import('./key.ts')).rollCommand(email, id, options))
}
