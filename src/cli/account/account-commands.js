// In charge of what the commands on accounts and their keys take.
import { add, wholeNumber } from '../commands.js'

/** @typedef {import('commander').Command} Command */
/** @typedef {import('../output.ts').CommonOptions} Options */

/** @param {Command} account */
export function addAccount(account) {
  add(account, 'create', 'make an account and a key, and the database if there is none')
    .requiredOption('--email <email>', 'whose it is')
    .option('--name <name>', 'how it is called (default: the email before its @)')
    .option('--plan <plan>', 'free, pro or platinum', 'free')
    .option('--operator', 'for someone who runs the service; prints an invite')
    .option('--invite', 'print a link by which a password is chosen')
    .action(async (/** @type {Parameters<typeof import('./account.ts').createCommand>[0]} */ options) =>
      (await import('./account.ts')).createCommand(options),
    )
  add(account, 'list', 'list the accounts by email')
    .option('--plan <plan>', 'only those on this plan')
    .option('--after <email>', 'only those behind this email')
    .action(async (/** @type {Options} */ options) => (await import('./account.ts')).listCommand(options))
  add(account, 'show <email>', 'an account, its keys, its plans and what it asks for').action(
    async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./account-show.ts')).showCommand(email, options),
  )
  add(account, 'invite <email>', 'print a link by which the owner chooses a password').action(
    async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./account-invite.ts')).inviteCommand(email, options),
  )
  add(account, 'set-plan <email> <plan>', 'change the plan at once, asked for or not').action(
    async (/** @type {string} */ email, /** @type {string} */ plan, /** @type {Options} */ options) =>
      (await import('./account.ts')).setPlanCommand(email, plan, options),
  )
  add(account, 'suspend <email>', 'refuse all keys of an account')
    .option('--lift', 'let them in again')
    .action(async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./account.ts')).suspendCommand(email, options),
    )
  add(account, 'delete <email>', 'delete an account and all that is its own')
    .option('--yes', 'without asking')
    .action(async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./account-delete.ts')).deleteCommand(email, options),
    )
  add(account, 'requests', 'who waits for another plan').action(async (/** @type {Options} */ options) =>
    (await import('./account-requests.ts')).requestsCommand(options),
  )
  add(account, 'decline <email>', 'decline what an account asks for').action(
    async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./account-requests.ts')).declineCommand(email, options),
  )
}

/** @param {Command} key */
export function addKey(key) {
  const named = '<email> <id-or-hint>'
  add(key, 'create <email>', 'make a key and print it, once')
    .option('--name <name>', 'what it is for', 'key')
    .option('--expires <days>', 'days it is good for (default: until it is revoked)', wholeNumber)
    .action(
      async (
        /** @type {string} */ email,
        /** @type {Parameters<typeof import('./key.ts').createCommand>[1]} */ options,
      ) => (await import('./key.ts')).createCommand(email, options),
    )
  add(key, 'list <email>', 'list the keys of an account, without secrets').action(
    async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./key.ts')).listCommand(email, options),
  )
  add(key, `revoke ${named}`, 'end a key for good').action(
    async (/** @type {string} */ email, /** @type {string} */ id, /** @type {Options} */ options) =>
      (await import('./key.ts')).revokeCommand(email, id, options),
  )
  add(key, `roll ${named}`, 'make a key in place of another, which is good for a while longer')
    .option('--overlap <hours>', 'how long the old one is good, at most 168', wholeNumber, 24)
    .action(
      async (
        /** @type {string} */ email,
        /** @type {string} */ id,
        /** @type {Parameters<typeof import('./key.ts').rollCommand>[2]} */ options,
      ) => (await import('./key.ts')).rollCommand(email, id, options),
    )
}
