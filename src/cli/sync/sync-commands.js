// Defines the options of `watchdata sync`.
import { Option } from 'commander'
import { add } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addSync(watchdata) {
  add(watchdata, 'sync', 'keep a copy of the catalogue of a service in a file or an SQLite database')
    .requiredOption('--to <target>', 'the copy: a file, one watch per line as JSON, or sqlite:FILE')
    .addOption(
      new Option(
        '--key <key>',
        'the API key; others on this machine see it here, so prefer the variable',
      ).env('WATCHDATA_KEY'),
    )
    .addOption(new Option('--url <url>', 'the service').env('WATCHDATA_URL').default('http://127.0.0.1:8080'))
    .option('--follow', 'go on until Ctrl-C, and apply changes as they happen')
    .addHelpText('after', hint)
    .action(async (options, command) => (await import('./sync.ts')).syncCommand(options, command))
}

const hint = `
The first run exports the catalogue; each later run applies only the changes since:

  WATCHDATA_KEY=wd_live_… watchdata sync --to watches.ndjson
  WATCHDATA_KEY=wd_live_… watchdata sync --to sqlite:watches.db --follow`
