// Defines the options of `watchdata import`, `import-prices`, `imports`, `feeds` and `export`.
import { Option } from 'commander'
import { add, gather, wholeNumber } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addImport(watchdata) {
  addReading(
    add(
      watchdata,
      'import <file...>',
      'import watches or brands from CSV, XLSX, JSON, NDJSON or Parquet files or addresses',
    ),
  )
    .addOption(
      new Option('--of <what>', 'what the files contain').choices(['watches', 'brands']).default('watches'),
    )
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--suggest-map', 'print how the columns would be read, to edit and pass to --map')
    .option('--yes', 'do not ask for confirmation')
    .option('--rejected <file>', 'file for the rows and cells that were left out', 'rejected.ndjson')
    .action(async (files, options) => (await import('./import.ts')).importCommand(files, options))
}

/**
 * Adds the options of how watches are imported, whoever does it. `confirms` says how --prune is confirmed.
 *
 * @param {Command} command @param {string} confirms
 */
function addReading(command, confirms = 'asks first') {
  return addFormat(command)
    .option('--map <file>', 'read the columns by this mapping (JSON, as --suggest-map prints it)')
    .option('--key <key>', 'what identifies a watch: reference (with the brand), id, or a spec such as sku')
    .option('--brand <name>', 'the brand of rows that name none')
    .option('--brand-headings', 'a row with a single cell, such as ROLEX, names the brand of the rows below')
    .option(
      '--resolve [column]',
      'find brand and reference in this column of titles, such as offers of dealers',
    )
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--currency <code>', 'currency of prices without one (default: USD; asks on a terminal)')
    .option('--replace', 'remove fields and specs of a watch that its row does not have')
    .option('--in-batches', 'make each 1,000 rows visible as they are read, instead of all at the end')
    .option('--prune', `delete the watches that no file has; ${confirms}`)
    .option('--source <name>', 'source of the prices, for the price history', 'import')
    .option('--strict', 'reject a row if one of its cells cannot be read, instead of leaving the cell empty')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
}

/** @param {Command} watchdata */
export function addImportPrices(watchdata) {
  const command = add(
    watchdata,
    'import-prices <file...>',
    'import prices of past days and of today into the price history',
  )
  addPriceReading(command)
    .option('--dry-run', 'show what would change, and write nothing')
    .option('--rejected <file>', 'file for the rows that were left out', 'rejected.ndjson')
    .addHelpText('after', forms)
    .action(async (files, options) =>
      (await import('./import-prices.ts')).importPricesCommand(files, options),
    )
}

/** Adds the options of how prices are imported, whoever does it. @param {Command} command */
function addPriceReading(command) {
  return addFormat(command)
    .addOption(
      new Option('--as <kind>', 'kind of price, where the column does not name it')
        .choices(['retail', 'market'])
        .default('market'),
    )
    .option('--brand <name>', 'the brand of references without one')
    .addOption(new Option('--date-format <order>', 'how to read 01/02/2024').choices(['dmy', 'mdy']))
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--currency <code>', 'currency of prices without one (default: USD; asks on a terminal)')
    .option('--source <name>', 'source of the prices, if the file names none', 'import')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
}

/** @param {Command} watchdata */
export function addFeeds(watchdata) {
  const feeds = watchdata.command('feeds').description('import files from addresses periodically')
  /** @type {[string, string]} */
  const every = ['--every <time>', 'how often: 30m, 6h, 1d']
  addReading(
    add(feeds, 'add <url>', 'import watches from an address; takes the options of import'),
    'never asks, so it needs --yes',
  )
    .requiredOption(...every)
    .option('--yes', 'confirm --prune for all imports of the feed')
    .action(async (url, options) => (await import('./feeds.ts')).addCommand('watches', url, options))
  addPriceReading(
    add(feeds, 'add-prices <url>', 'import prices from an address; takes the options of import-prices'),
  )
    .requiredOption(...every)
    .action(async (url, options) => (await import('./feeds.ts')).addCommand('prices', url, options))
  add(feeds, 'list', 'the feeds, with what came of the last import').action(async (options) =>
    (await import('./feeds.ts')).listCommand(options),
  )
  add(feeds, 'run <feed>', 'import a feed at once')
    .option(
      '--if-changed',
      'only if its server says that the file has changed, or a run of the feed was undone',
    )
    .action(async (feed, options) => (await import('./feeds.ts')).runCommand(feed, options))
  add(feeds, 'pause <feed>', 'stop importing a feed, until it is resumed').action(async (feed, options) =>
    (await import('./feeds.ts')).pauseCommand(feed, true, options),
  )
  add(feeds, 'resume <feed>', 'go on importing a feed').action(async (feed, options) =>
    (await import('./feeds.ts')).pauseCommand(feed, false, options),
  )
  add(feeds, 'remove <feed>', 'remove a feed; what it imported stays').action(async (feed, options) =>
    (await import('./feeds.ts')).removeCommand(feed, options),
  )
}

/** @param {Command} watchdata */
export function addImports(watchdata) {
  const imports = watchdata.command('imports').description('list, show and undo past imports')
  add(imports, 'list', 'the imports, newest first')
    .option('--limit <n>', 'how many to list', wholeNumber, 20)
    .action(async (options) => (await import('./imports.ts')).listCommand(options))
  add(imports, 'show <run>', 'files, mapping, counts and rejected rows of an import').action(
    async (run, options) => (await import('./imports.ts')).showCommand(run, options),
  )
  add(imports, 'undo <run>', 'restore what an import changed, except what was changed since')
    .option('--dry-run', 'show what would change, and write nothing')
    .action(async (run, options) => (await import('./imports.ts')).undoCommand(run, options))
}

/** @param {Command} watchdata */
export function addExport(watchdata) {
  add(watchdata, 'export <file>', 'write the catalogue to a file that import takes back, or - for stdout')
    .option('--of <what>', 'watches, brands or prices', 'watches')
    .option('--format <format>', 'ndjson, csv or parquet, also ndjson.gz or csv.zst (default: by extension)')
    .action(async (file, options) => (await import('./export.ts')).exportCommand(file, options))
}

/** Adds the options of how files are read. @param {Command} command */
function addFormat(command) {
  return command
    .addOption(
      new Option('--format <format>', 'format, if the file name does not tell it').choices([
        'csv',
        'xlsx',
        'json',
        'ndjson',
        'parquet',
      ]),
    )
    .option('--delimiter <character>', 'delimiter of a CSV (default: detected)')
    .option('--sheet <name>', 'sheet of an XLSX file, by name or number (default: the first with a table)')
    .option('--encoding <name>', 'encoding of text that is not UTF-8, such as windows-1252')
}

const forms = `
Files have a row for each price, with columns such as reference, brand, date, price, retail, market, currency, source:

  brand,reference,date,price
  Rolex,126610LN,2024-01-31,13250

or a row for each day, with a column for each watch:

  date,Rolex 126610LN,Omega 310.30.42.50.01.001
  2024-01-31,13250,6150`
