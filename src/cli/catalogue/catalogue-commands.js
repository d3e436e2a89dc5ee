// Defines the options of `watchdata watch`, `brand`, `spec` and `stats`.
import { Option } from 'commander'
import { add, gather } from '../commands.js'

/** @typedef {import('commander').Command} Command */

/** @param {Command} watchdata */
export function addCatalogue(watchdata) {
  addWatch(watchdata.command('watch').description('show, edit and delete single watches'))
  addBrand(watchdata.command('brand').description('list, edit and merge brands'))
  addSpec(watchdata.command('spec').description('list and rename spec keys, and merge their values'))
  add(watchdata, 'stats', 'how complete the catalogue is, and what in it looks wrong')
    .option('--all', 'every spec key, and all that looks wrong')
    .action(async (options) => (await import('./stats.ts')).statsCommand(options))
}

/** @param {Command} watch */
function addWatch(watch) {
  const named = '<id-or-reference>'
  const ofBrand = 'the brand of the reference; without it, a plain number is an id'
  add(watch, `show ${named}`, 'show a watch with its specs and prices')
    .option('--brand <brand>', ofBrand)
    .action(async (written, options) => (await import('./watch-show.ts')).showCommand(written, options))
  addChanging(watch, `edit ${named}`, 'change fields of a watch')
    .option('--brand <brand>', ofBrand)
    .option(
      '--set <field=value>',
      'brand, collection, reference_number, retail_price_usd, current_market_price or specs.<key>; may be repeated',
      gather,
    )
    .option('--unset <field>', 'remove the value of a field; may be repeated', gather)
    .action(async (written, options) => (await import('./watch-edit.ts')).editCommand(written, options))
  addChanging(watch, `delete ${named.replace('>', '...>')}`, 'delete watches with all their prices')
    .option('--brand <brand>', ofBrand)
    .option('--yes', 'do not ask for confirmation')
    .action(async (written, options) => (await import('./watch-delete.ts')).deleteCommand(written, options))
}

/** @param {Command} brand */
function addBrand(brand) {
  add(brand, 'list', 'the brands, with how many watches each has').action(async (options) =>
    (await import('./brand.ts')).listCommand(options),
  )
  addChanging(brand, 'edit <brand>', "change a brand; '' clears a field")
    .option('--name <name>', 'new name; the old name becomes an alias')
    .option('--slug <slug>', 'its name in URLs')
    .option('--country <country>', 'its country')
    .option('--founded <year>', 'the year it was founded')
    .option('--website <url>', 'its website')
    .option('--alias <alias>', 'another name to add; may be repeated', gather)
    .option('--remove-alias <alias>', 'another name to remove; may be repeated', gather)
    .action(async (written, options) => (await import('./brand.ts')).editCommand(written, options))
  addChanging(brand, 'merge <brand...>', 'merge brands into another')
    .requiredOption('--into <brand>', 'the brand to keep')
    .action(async (written, options) => (await import('./brand.ts')).mergeCommand(written, options))
}

/** @param {Command} spec */
function addSpec(spec) {
  add(spec, 'list', 'the spec keys, with how many watches and values each has').action(async (options) =>
    (await import('./spec.ts')).listCommand(options),
  )
  addChanging(spec, 'rename <old> <new>', 'give a spec key another name, in every watch')
    .addOption(
      new Option('--keep <which>', 'which value to keep if a watch has both').choices(['old', 'new']),
    )
    .action(async (from, to, options) => (await import('./spec.ts')).renameCommand(from, to, options))
  addChanging(spec, 'merge-values <key> <value...>', 'replace values with one value, in every watch')
    .requiredOption('--into <value>', 'the value to store; 42 is stored as a number, "42" as text')
    .action(async (key, from, options) => (await import('./spec.ts')).mergeCommand(key, from, options))
}

/** @param {Command} parent @param {string} usage @param {string} description */
function addChanging(parent, usage, description) {
  return add(parent, usage, description).option('--dry-run', 'show what would change, and write nothing')
}
