// Defines the options of `watchdata import-prices`.
import { Option } from 'commander'
import { add, gather, wholeNumber } from '../commands.js'
import { addFormat } from './file-commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addImportPrices(watchdata) {
  const command = add(
    watchdata,
    'import-prices <file...>',
    'import prices of past days and of today into the price history',
  )
  addFormat(command)
    .option('--dry-run', 'show what would change, and write nothing')
    .addOption(
      new Option('--as <kind>', 'kind of price, where the column does not name it')
        .choices(['retail', 'market'])
        .default('market'),
    )
    .option('--brand <name>', 'the brand of references without one')
    .addOption(new Option('--date-format <order>', 'how to read 01/02/2024').choices(['dmy', 'mdy']))
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--source <name>', 'source of the prices, if the file names none', 'import')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
    .option('--rejected <file>', 'file for the rows that were left out', 'rejected.ndjson')
    .addHelpText('after', forms)
    .action(async (files, options) =>
      (await import('./import-prices.ts')).importPricesCommand(files, options),
    )
}

const forms = `
Files have a row for each price, with columns such as reference, brand, date, price, retail, market, currency, source:

  brand,reference,date,price
  Rolex,126610LN,2024-01-31,13250

or a row for each day, with a column for each watch:

  date,Rolex 126610LN,Omega 310.30.42.50.01.001
  2024-01-31,13250,6150`
