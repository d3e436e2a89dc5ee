// In charge of what the command takes that brings prices of past days into the catalogue.
import { Option } from 'commander'
import { add, gather, wholeNumber } from '../commands.js'
import { addFormat } from './file-commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addImportPrices(watchdata) {
  const command = add(
    watchdata,
    'import-prices <file...>',
    'bring prices of past days and of today into the history of watches',
  )
  addFormat(command)
    .option('--dry-run', 'show what would change, and write nothing')
    .addOption(
      new Option('--as <kind>', 'what prices are that do not say it')
        .choices(['retail', 'market'])
        .default('market'),
    )
    .option('--brand <name>', 'the brand of references that stand alone')
    .addOption(new Option('--date-format <order>', 'how 01/02/2024 is meant').choices(['dmy', 'mdy']))
    .option('--rate <currency=usd>', 'US dollars for one of another currency, such as EUR=1.08', gather, [])
    .option('--source <name>', 'who says so, where the file does not', 'import')
    .option('--max-errors <n>', 'stop after more rejected rows than this', wholeNumber, 1_000)
    .option('--rejected <file>', 'where the rows that were left out go', 'rejected.ndjson')
    .addHelpText('after', forms)
    .action(
      async (
        /** @type {string[]} */ files,
        /** @type {import('./import-prices.ts').PriceCommandOptions} */ options,
      ) => (await import('./import-prices.ts')).importPricesCommand(files, options),
    )
}

const forms = `
Files have a row for each price, with columns such as reference, brand, date, price, retail, market, currency, source:

  brand,reference,date,price
  Rolex,126610LN,2024-01-31,13250

or a row for each day, with a column for each watch:

  date,Rolex 126610LN,Omega 310.30.42.50.01.001
  2024-01-31,13250,6150`
