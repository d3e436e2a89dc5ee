// Defines the options of `watchdata import`, and the options of all commands that read files.
import { Option } from 'commander'
import { add, gather, wholeNumber } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addFiles(watchdata) {
  addFormat(
    add(watchdata, 'import <file...>', 'import watches or brands from CSV, JSON, NDJSON or Parquet files'),
  )
    .addOption(
      new Option('--of <what>', 'what the files contain').choices(['watches', 'brands']).default('watches'),
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--suggest-map', 'print how the columns would be read, to edit and pass to --map')
    .option('--map <file>', 'read the columns by this mapping (JSON, as --suggest-map prints it)')
    .option('--key <key>', 'what identifies a watch: reference (with the brand), id, or a spec such as sku')
    .option('--brand <name>', 'the brand of rows that name none')
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--replace', 'remove fields and specs of a watch that its row does not have')
    .option('--prune', 'delete the watches that no file has; asks first')
    .option('--yes', 'do not ask for confirmation')
    .option('--source <name>', 'source of the prices, for the price history', 'import')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
    .option('--rejected <file>', 'file for the rows that were left out', 'rejected.ndjson')
    .action(async (files, options) => (await import('./import.ts')).importCommand(files, options))
}

/** Adds the options of how files are read. @param {Command} command */
export function addFormat(command) {
  return command
    .addOption(
      new Option('--format <format>', 'format, if the file name does not tell it').choices([
        'csv',
        'json',
        'ndjson',
        'parquet',
      ]),
    )
    .option('--delimiter <character>', 'delimiter of a CSV (default: detected)')
    .option('--encoding <name>', 'encoding of text that is not UTF-8, such as windows-1252')
}
