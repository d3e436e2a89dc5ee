// Defines the options of `watchdata export`.
import { add } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addExport(watchdata) {
  add(watchdata, 'export <file>', 'write the catalogue to a file that import takes back, or - for stdout')
    .option('--of <what>', 'watches, brands or prices', 'watches')
    .option('--format <format>', 'ndjson, csv or parquet, also ndjson.gz or csv.zst (default: by extension)')
    .action(async (file, options) => (await import('./export.ts')).exportCommand(file, options))
}
