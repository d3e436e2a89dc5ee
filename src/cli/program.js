// Defines the commands and their exit codes. This file and the *-commands.js files, which define the options, are plain
// JavaScript, and the code of a command is loaded only when it runs: so --help prints without waiting for Node's type
// stripper to load.
import { readFileSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { addAccount, addKey } from './account/account-commands.js'
import { addCatalogue } from './catalogue/catalogue-commands.js'
import { add } from './commands.js'
import { addExport, addFeeds, addImport, addImportPrices, addImports } from './files/file-commands.js'
import { addListen } from './listen/listen-commands.js'
import { addSync } from './sync/sync-commands.js'

export const exitCodes = { done: 0, failed: 1, usage: 2 }

/** Runs the command that the arguments name, and returns the exit code. @param {string[]} argv */
export async function run(argv) {
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
    async (options) => (await import('./serve.ts')).serve(options),
  )
  add(watchdata, 'migrate', 'bring the database up to date').action(async (options) =>
    (await import('./database.ts')).migrateCommand(options),
  )
  add(watchdata, 'backup <file>', 'write the whole database to a file, while the service runs').action(
    async (file, options) => (await import('./database.ts')).backupCommand(file, options),
  )
  add(watchdata, 'restore <file>', 'load a backup into an empty database, of either engine').action(
    async (file, options) => (await import('./database.ts')).restoreCommand(file, options),
  )
  addImport(watchdata)
  addImportPrices(watchdata)
  addImports(watchdata)
  addFeeds(watchdata)
  addExport(watchdata)
  addCatalogue(watchdata)
  addAccount(
    watchdata.command('account').description('make, list, suspend and delete accounts, and set their plans'),
  )
  addKey(watchdata.command('key').description('make, list, roll and revoke the API keys of an account'))
  add(watchdata, 'usage <email>', 'show the requests of an account in the last 30 days').action(
    async (email, options) => (await import('./account/usage.ts')).usageCommand(email, options),
  )
  addListen(watchdata)
  addSync(watchdata)
  add(watchdata, 'settings', 'print every setting, its environment variable and default').action(
    async (options) => (await import('./settings.ts')).settingsCommand(options),
  )
  add(
    watchdata,
    'doctor',
    'check runtime, settings, disk, database, clock and Redis, and say what to do',
  ).action(async (options) => (await import('./doctor.ts')).doctorCommand(options))
  return watchdata
}
