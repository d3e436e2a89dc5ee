// In charge of the command line: which commands there are and what they take.
// Each command's code is loaded only when it runs, so that --help answers at once.
import { Command, CommanderError } from 'commander'
import { version } from '../version.ts'
import { exitCodes, tellFailure } from './output.ts'

export interface CommonOptions {
  readonly json?: boolean
}

process.exitCode = await run(process.argv)

async function run(argv: string[]): Promise<number> {
  try {
    await program().parseAsync(argv)
    return Number(process.exitCode ?? exitCodes.done)
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    tellFailure(error)
    return exitCodes.failed
  }
}

function program(): Command {
  const watchdata = new Command('watchdata')
    .description(
      'Publishes watch data as a JSON API. Settings come from the environment: see `watchdata settings`.',
    )
    .version(version, '-v, --version', 'print the version')
    .showHelpAfterError('Run watchdata --help for the commands.')
    .exitOverride()
  const add = (usage: string, description: string) =>
    watchdata
      .command(usage)
      .description(description)
      .option('--json', 'print the result as JSON')
      .exitOverride()

  add('serve', 'migrate, load the sample catalogue into an empty database, and serve').action(
    async (options: CommonOptions) => (await import('./serve.ts')).serve(options),
  )
  add('migrate', 'bring the database up to date').action(async (options: CommonOptions) =>
    (await import('./migrate.ts')).migrateCommand(options),
  )
  add('backup <file>', 'write the whole database to a file, while the service runs').action(
    async (file: string, options: CommonOptions) =>
      (await import('./backup.ts')).backupCommand(file, options),
  )
  add('restore <file>', 'load a backup into an empty database, of either engine').action(
    async (file: string, options: CommonOptions) =>
      (await import('./restore.ts')).restoreCommand(file, options),
  )
  add('settings', 'print every setting, its environment variable and default')
    .option('--markdown', 'print the table of the docs page')
    .action(async (options: CommonOptions & { markdown?: boolean }) =>
      (await import('./settings.ts')).settingsCommand(options),
    )
  add('doctor', 'check runtime, settings, disk, database, clock and Redis, and say what to do').action(
    async (options: CommonOptions) => (await import('./doctor.ts')).doctorCommand(options),
  )
  return watchdata
}
