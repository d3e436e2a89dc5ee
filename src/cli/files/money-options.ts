// Decides how the prices of an import become US dollars: by the rates of --rate and CURRENCY_RATES, and in which
// currency prices without one are. Asks for that currency on a terminal, and builds the lines of the summary about it.
import { stat } from 'node:fs/promises'
import { parseConfig } from '../../config.ts'
import { Failure } from '../../errors.ts'
import { findCurrency } from '../../imports/cells/currencies.ts'
import type { MoneyUse, Rates, RateUse } from '../../imports/cells/rates.ts'
import type { BarePrices } from '../../imports/import-options.ts'
import { readRates } from '../../imports/read-rates.ts'
import { counted, grouped, visible } from '../catalogue-texts.ts'
import { ask } from '../confirm.ts'
import { parseRate } from '../file-options.ts'
import { type CommonOptions, tell } from '../output.ts'

export interface MoneyOptions extends CommonOptions {
  readonly rate: readonly string[]
  readonly currency?: string
  readonly yes?: boolean
}

/** The rates of CURRENCY_RATES, and those of --rate, which come first. */
export async function readAllRates(given: readonly string[]): Promise<Rates> {
  const { currencyRates } = parseConfig(process.env)
  const own = given.map(parseRate)
  if (currencyRates === undefined) return new Map(own)
  try {
    const ofFile: Rates = await readRates(currencyRates)
    return new Map([...ofFile, ...own])
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    throw new Failure(`CURRENCY_RATES cannot be used: ${error.message}`)
  }
}

/**
 * Returns the currency of prices without one; undefined if nobody named it. Asks if the files have such prices and
 * somebody can answer: stdin and stderr are a terminal. `sample` looks at the first rows of a file.
 */
export async function chooseCurrency(
  given: MoneyOptions,
  rates: Rates,
  files: readonly string[],
  sample: (file: string) => Promise<BarePrices>,
): Promise<string | undefined> {
  if (given.currency !== undefined) return parseCurrency(given.currency, '--currency', rates)
  const canAsk = process.stdin.isTTY && process.stderr.isTTY && !given.json && !given.yes
  if (!canAsk) return undefined
  const bare: BarePrices[] = []
  const pipes: string[] = []
  for (const file of files) {
    // The rows that a sample reads from a pipe would be lost to the import.
    if (await isPipe(file)) pipes.push(file)
    else bare.push(await sample(file))
  }
  const found = bare.filter(({ count, columns, isWhole }) => count > 0 || (columns.length > 0 && !isWhole))
  if (found.length === 0) {
    if (pipes.length > 0) tell(assumption(pipes))
    return undefined
  }
  const typed = await ask(`${question(found)} Which one? [USD] `)
  if (typed === undefined) throw new Failure('No currency was typed: nothing is imported.')
  return parseCurrency(typed.trim() || 'USD', 'The answer', rates)
}

/** The lines of a summary about prices. `currency` is that of prices without one, if somebody named it. */
export function describeMoney({ assumed, rates }: MoneyUse, currency: string | undefined): string[] {
  const lines: string[] = []
  if (assumed > 0) {
    const taken = `${counted(assumed, 'price', 'prices')} without a currency ${assumed === 1 ? 'was' : 'were'} taken as`
    const hint = assumed === 1 ? 'it is not' : 'they are not'
    lines.push(
      currency === undefined
        ? `${taken} US dollars: say --currency EUR, for example, if ${hint}.`
        : `${taken} ${currency === 'USD' ? 'US dollars' : currency}.`,
    )
  }
  if (rates.length > 0) lines.push(`Rates used: ${rates.map(describeRate).join('; ')}.`)
  return lines
}

/** The same for --json. */
export function moneyJson({ assumed, rates }: MoneyUse, currency = 'USD') {
  const used = rates.map(({ first = null, last = null, ...rate }) => ({ ...rate, first, last }))
  return { assumed: { prices: assumed, currency }, rates: used }
}

function describeRate({ currency, usd, first, last }: RateUse): string {
  if (first !== last) return `${currency}, those of ${first} to ${last}`
  const value = Number(usd.toPrecision(6))
  return `1 ${currency} = ${value} US dollars (${last === undefined ? '--rate' : `of ${last}`})`
}

/** A file that does not exist is none: opening it reports the error. */
async function isPipe(file: string): Promise<boolean> {
  if (file === '-') return true
  const found = await stat(file).catch(() => undefined)
  return found !== undefined && !found.isFile()
}

function assumption(pipes: readonly string[]): string {
  const names = new Intl.ListFormat('en').format(pipes.map(visible))
  return `Prices of ${names} without a currency are taken as US dollars: say --currency EUR, for example, if they are not. The rows of a pipe cannot be looked at before they are imported.`
}

function parseCurrency(raw: string, what: string, rates: Rates): string {
  const code = findCurrency(raw.trim())
  if (code === undefined) throw new Failure(`${what} ${raw} is no currency: write its ISO code, such as EUR.`)
  if (code === 'USD' || rates.has(code)) return code
  throw new Failure(
    `There is no rate for ${code}: say --rate ${code}=…, US dollars for one, or name a file of rates in CURRENCY_RATES.`,
  )
}

function question(bare: readonly BarePrices[]): string {
  const count = bare.reduce((sum, one) => sum + one.count, 0)
  const columns = [...new Set(bare.flatMap((one) => one.columns))].map(visible)
  const shown = columns.length > 3 ? [...columns.slice(0, 2), `${columns.length - 2} other columns`] : columns
  const where = new Intl.ListFormat('en').format(shown)
  const rows = bare.reduce((sum, one) => sum + one.rows, 0)
  if (count === 0)
    return `The first ${grouped(rows)} rows have no price in ${where}; later ones may have no currency.`
  const sample = bare.every(({ isWhole }) => isWhole) ? '' : ` of the first ${grouped(rows)} rows`
  return `${counted(count, 'price', 'prices')}${sample} in ${where} ${count === 1 ? 'has' : 'have'} no currency.`
}
