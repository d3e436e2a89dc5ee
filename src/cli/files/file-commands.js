// In charge of what the commands that read and write files of watches take.
import { Option } from 'commander'
import { add, gather, wholeNumber } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addFiles(watchdata) {
  addFormat(
    add(watchdata, 'import <file...>', 'bring watches from CSV, JSON, NDJSON or Parquet into the catalogue'),
  )
    .addOption(
      new Option('--of <what>', 'what the files have').choices(['watches', 'brands']).default('watches'),
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--suggest-map', 'print how the columns would be read, to edit and to give back by --map')
    .option('--map <file>', 'read these columns otherwise (JSON, as --suggest-map prints it)')
    .option('--key <key>', 'what tells watches apart: reference (with the brand), id, or a spec such as sku')
    .option('--brand <name>', 'the brand of rows that name none')
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--replace', 'a watch keeps only what its row says')
    .option('--prune', 'delete the watches that no file has; asks first')
    .option('--yes', 'without asking')
    .option('--source <name>', 'who says so, for the history of prices', 'import')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
    .option('--rejected <file>', 'where the rows that were left out go', 'rejected.ndjson')
    .action(
      async (
        /** @type {string[]} */ files,
        /** @type {import('../file-options.ts').ImportCommandOptions} */ options,
      ) => (await import('./import.ts')).importCommand(files, options),
    )
}

/** How files are read. @param {Command} command */
export function addFormat(command) {
  return command
    .addOption(
      new Option('--format <format>', 'where the name of the file does not tell it').choices([
        'csv',
        'json',
        'ndjson',
        'parquet',
      ]),
    )
    .option('--delimiter <character>', 'of CSV; found by looking where it is not given')
    .option('--encoding <name>', 'of text that is not UTF-8, such as windows-1252')
}
