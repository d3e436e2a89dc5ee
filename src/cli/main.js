// In charge of the command line: which commands there are and what they take. Plain JavaScript, and each
// command's code is loaded only when it runs: --help answers before the type stripper would be awake.
import { readFileSync } from 'node:fs'
import { Command, CommanderError, InvalidArgumentError } from 'commander'

/** @typedef {import('./output.ts').CommonOptions} Options */

const exitCodes = { done: 0, failed: 1, usage: 2 }

// Whoever reads us may have read enough (`watchdata settings | head`).
process.stdout.on('error', (error) =>
  process.exit('code' in error && error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed),
)
process.stderr.on('error', () => {})
process.exitCode = await run(process.argv)

/** @param {string[]} argv */
async function run(argv) {
  try {
    await program().parseAsync(argv)
    return process.exitCode ?? exitCodes.done
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    const { tellFailure } = await import('./output.ts')
    tellFailure(error)
    return exitCodes.failed
  }
}

function program() {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const watchdata = new Command('watchdata')
    .description(
      'Publishes watch data as a JSON API. Settings come from the environment: see `watchdata settings`.',
    )
    .version(version, '-v, --version', 'print the version')
    .showHelpAfterError('Run watchdata --help for the commands.')
    .exitOverride()

  add(watchdata, 'serve', 'migrate, load the sample catalogue into an empty database, and serve').action(
    async (/** @type {Options} */ options) => (await import('./serve.ts')).serve(options),
  )
  add(watchdata, 'migrate', 'bring the database up to date').action(async (/** @type {Options} */ options) =>
    (await import('./migrate.ts')).migrateCommand(options),
  )
  add(watchdata, 'backup <file>', 'write the whole database to a file, while the service runs').action(
    async (/** @type {string} */ file, /** @type {Options} */ options) =>
      (await import('./backup.ts')).backupCommand(file, options),
  )
  add(watchdata, 'restore <file>', 'load a backup into an empty database, of either engine').action(
    async (/** @type {string} */ file, /** @type {Options} */ options) =>
      (await import('./restore.ts')).restoreCommand(file, options),
  )
  addAccount(
    watchdata.command('account').description('make, list, suspend and delete accounts, and set their plans'),
  )
  addKey(watchdata.command('key').description('make, list, roll and revoke the API keys of an account'))
  add(watchdata, 'usage <email>', 'what an account has used in the last 30 days').action(
    async (/** @type {string} */ email, /** @type {Options} */ options) =>
      (await import('./usage.ts')).usageCommand(email, options),
  )
  add(watchdata, 'settings', 'print every setting, its environment variable and default').action(
    async (/** @type {Options} */ options) => (await import('./settings.ts')).settingsCommand(options),
  )
  add(
    watchdata,
    'doctor',
    'check runtime, settings, disk, database, clock and Redis, and say what to do',
  ).action(async (/** @type {Options} */ options) => (await import('./doctor.ts')).doctorCommand(options))
  return watchdata
}

/** @param {Command} account */
function addAccount(account) {
  add(account, 'create', 'make an account and a key, and the database if there is none')
    .requiredOption('--email <email>', 'whose it is')
    .option('--name <name>', 'how it is called (default: the e-mail before its @)')
    .option('--plan <plan>', 'free, pro or platinum', 'free')
    .option('--operator', 'for someone who runs the service; prints an invite')
    .option('--invite', 'print a link by which a password is chosen')
    .action(async (/** @type {Parameters<typeof import('./account.ts').createCommand>[0]} */ options) =>
      (await import('./account.ts')).createCommand(options),
    )
  add(account, 'list', 'list the accounts by e-mail')
    .option('--plan <plan>', 'only those on this plan')
    .option('--after <email>', 'only those behind this e-mail')
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
function addKey(key) {
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

/** @param {Command} parent @param {string} usage @param {string} description */
function add(parent, usage, description) {
  const command = parent.command(usage).description(description)
  return command.option('--json', 'print the result as JSON').exitOverride()
}

/** @param {string} written */
function wholeNumber(written) {
  if (!/^\d{1,6}$/.test(written)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(written)
}
