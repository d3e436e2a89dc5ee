// Looks up what a column's name stands for in the table of names. Units and currencies are split off first. The name
// of a nested column is also looked up without the names around it.
import { isCutName } from '../../files/records.ts'
import { findScale, findUnitName } from '../../specs/units.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import { specKeyCharsMax } from '../limits.ts'
import { type NameReading, readName, scriptParts, snakeCase, wordsOf } from './header-words.ts'
import { fieldNames, specNames, unitNames } from './names/name-table.ts'
import { readPath } from './names/nested-names.ts'
import { bareName, type PriceField, priceFieldOf, withoutArticles, withoutTaxRate } from './price-names.ts'

/** What a column's name tells about the column. */
export interface NamedColumn {
  /** A field, or `specs.<key>`. Undefined: the name is not in the table. */
  readonly to: string | undefined
  /** Position among the names of the target: a lower rank is a more specific name. */
  readonly rank: number
  /** Whether the cells must confirm the target, because the name is ambiguous: `Size` may be S, M and L. */
  readonly isDoubtful: boolean
  /** Whether the name was taken out of its group, so that any other column with the same target comes first. */
  readonly isLoose?: true
  /** Whether the name is not in the table, and was read as that of a price by its words. */
  readonly isByWords?: true
  /** Whether its amounts are in thousands or another multiple, so that they are no prices. */
  readonly isScaled?: boolean
  /** The country or region of a retail price. */
  readonly region?: string
  /** The name of the unit of bare numbers. */
  readonly unit: string | undefined
  /** The ISO code of the currency of bare amounts. */
  readonly currency: string | undefined
  /** The spec key made from the name, for a column that becomes a spec of its own. Empty: no letters or digits. */
  readonly key: string
}

/** Says whether a price includes the tax. It is the price of the watch in both cases. */
const taxMark =
  /^(?:税込み?|税抜き?|税別|(?:incl?|inkl|excl?|exkl|zzgl)\.? ?(?:vat|tax|mwst)\.?|(?:vat|tax) ?(?:incl?|excl?)[a-z]*\.?|ttc|ht)$/i

/** What brackets add to a name without changing what it is of. */
const aside =
  /^(?:if|when known|where|optional|required|mandatory|approx|approximately|ca|circa|inside|on|engraved|stamped|printed|see|e g|z b|falls|wenn|w o|without|ex|excl|excluding|ohne|hors|sans|senza|sin)(?: |$)/

const materialWord = /mat[eiéè]|素材|材質|матер/i

/** Added to the rank of a nested column, which comes after a column of the record itself with the same name. */
const nestedRank = 0.5
/** Added to the rank of a name that was taken out of its group. */
const looseRank = 500

interface Name extends Omit<NamedColumn, 'key'> {
  readonly to: string
}

/** Added to the rank of prices of a year, the last year first, behind all names without a year. */
const yearRank = 700
const yearMax = 2_100
/** Added to the rank of retail prices of a country: behind those without one, and that of the US first. */
const usRank = 200
const regionRank = 300
/** Of names that are read by their words: behind all names of the table, also those of other currencies. */
const wordsRank = 2_000

const spelledOut: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' }

const names = new Map<string, Name>()
for (const [field, list] of Object.entries(fieldNames)) addNames(field, list)
for (const [key, list] of Object.entries(specNames)) addNames(`specs.${key}`, list)
for (const [unit, list] of Object.entries(unitNames)) addNames('specs.frequency', list, unit)

const bareNames = new Map(
  Object.entries(fieldNames).flatMap(([field, list]) =>
    (isPriceField(field) ? list.split(/,\s+/) : []).flatMap((name) => {
      const found = names.get(wordsOf(name.replace('?', '')).join(''))
      const bare = withoutArticles(wordsOf(name))
      return found === undefined || bare === '' ? [] : [[bare, found] as const]
    }),
  ),
)

export function readColumnName(name: string): NamedColumn {
  const whole = findColumn(name)
  if (whole.to !== undefined || specKeyOf(name) !== undefined) return whole
  const path = readPath(name)
  if (path === undefined) return readParts(name, whole)
  const own = findColumn(path.own)
  for (const { name: flat, keys, isLoose } of path.names) {
    const found = findColumn(flat)
    const isMeant = keys === undefined || keys.includes(specKeyOf(found.to ?? '') ?? '')
    if (found.to === undefined || !isMeant || (isLoose && isBareMaterial(flat))) continue
    const nested = { ...found, rank: found.rank + nestedRank, key: own.key }
    return isLoose ? { ...nested, rank: nested.rank + looseRank, isLoose } : nested
  }
  return { ...own, to: undefined }
}

/** Reads the parts of a name in two languages, and of one that says the same thing twice: `Reference / Model No.`. */
function readParts(name: string, whole: NamedColumn): NamedColumn {
  const ofScripts = scriptParts(name).map(findColumn)
  const named = ofScripts.filter(({ to }) => to !== undefined)
  // `Model 型號` is the number of the model.
  const meant = named.find(({ to }) => to === 'reference_number') ?? named[0]
  if (meant !== undefined) return { ...meant, rank: meant.rank + nestedRank, key: whole.key }
  const [first, ...others] = name.split(/[/|]/).map(findColumn)
  const isOne = others.length > 0 && others.every(({ to }) => to === first?.to)
  const found = first?.to !== undefined && isOne ? first : readAside(name)
  return found === undefined ? whole : { ...found, rank: found.rank + nestedRank, key: whole.key }
}

/** Reads a name with an aside in brackets: `Model no. (inside back?)`, `Brand (maker)`. */
function readAside(name: string): Name | undefined {
  const [, bare] = readName(name)
  const number = /#\s*[([{]/.test(name) ? 'no' : ''
  const found = names.get(`${bare?.words.join('')}${number}`)
  if (!bare?.isBracketed || bare.mark === undefined || found === undefined || isPriceField(found.to)) return
  const isAside = aside.test(wordsOf(bare.mark).join(' ')) || findColumn(bare.mark).to === found.to
  return isAside ? found : undefined
}

/** In a group, the material may be that of any part. */
function isBareMaterial(name: string): boolean {
  return /^(?:matiere|素材)$/.test(wordsOf(name).join(''))
}

/**
 * Reads a key of an object `specs` that is no key of a catalogue by its spelling, such as `caseDiameterMm` or
 * `Dial Color`, like any other name of a spec. All other keys are taken as they are.
 */
export function readSpecsName(name: string): NamedColumn {
  const named = readColumnName(name)
  const key = specKeyOf(name)
  if (key === undefined || !isSpecKey(key)) return named
  const found = findColumn(key)
  const isSpec = specKeyOf(found.to ?? '') !== undefined
  const isSpelledOtherwise = snakeCase(wordsOf(key)) !== key || found.unit !== undefined
  if (isSpec && isSpelledOtherwise) return { ...found, rank: found.rank + nestedRank }
  return { ...named, key: found.key, unit: isHeading(key) ? found.unit : named.unit }
}

/** Whether a key of specs is written like a heading, `Case finish`, so that it is put in snake_case like one. */
export function isHeading(key: string): boolean {
  return /[\s\p{Lu}]/u.test(key)
}

/**
 * Reads a name that is not in the table without what it says of tax, currency, year and country, and then by its words alone:
 * `Prezzo listino IVA incl.`, `Avg. Market Price`. Undefined if the name is none of a price.
 */
export function readPriceName(name: string): NamedColumn | undefined {
  if (withoutTaxRate(name).includes('%')) return undefined
  const { words, currency, year, region } = bareName(name)
  const listed = names.get(words.join('')) ?? bareNames.get(withoutArticles(words))
  const field = listed?.to ?? priceFieldOf(words, currency !== undefined)
  if (field === undefined || !isPriceField(field)) return undefined
  // Only retail prices are set by country. `UK Price` and `US Price` may be anything.
  if (region !== undefined && field !== 'retail_price_usd') return undefined
  const byWords = listed === undefined ? ({ isByWords: true } as const) : {}
  const known = listed?.rank ?? wordsRank
  // The year counts more than the name: `Price 2024` comes before `Market price 2019`.
  const age = year === undefined ? 0 : yearRank + yearMax - year
  const rank = year === undefined || listed === undefined ? known + age : age + known / yearMax
  const place = region === undefined ? 0 : /^usa?$/.test(region) ? usRank : regionRank
  const key = snakeCase(wordsOf(name))
  const named = { ...byWords, ...(region === undefined ? {} : { region }) }
  return {
    to: field,
    rank: rank + nestedRank + place,
    isDoubtful: true,
    ...named,
    unit: undefined,
    currency,
    key,
  }
}

function findColumn(name: string): NamedColumn {
  const readings = readName(partSigns(name))
  // A percentage is neither a price nor a measure, whatever else the name says.
  if (name.includes('%')) return ownColumn(readings)
  // `Model #` is its number, and `Model` is not.
  const numbered = /\p{L}\.? ?#$/u.test(name.trim())
    ? names.get([...wordsOf(name), 'no'].join(''))
    : undefined
  if (numbered !== undefined) return { ...numbered, key: snakeCase(readings[0]?.words ?? []) }
  // Currency signs are not part of words, so the whole name `Price (£)` has the same words as `Price` and would match
  // without its currency. Readings whose mark is a sign are tried first.
  const signed = readings.filter(({ mark }) => mark !== undefined && wordsOf(mark).length === 0)
  for (const reading of [...signed, ...readings]) {
    const found = names.get(reading.words.join(''))
    const marked = found === undefined ? undefined : withMark(found, reading.mark, name)
    if (marked !== undefined)
      return { ...marked, key: keyOf(readings[0]?.words ?? [], marked.currency, reading) }
  }
  return ownColumn(readings)
}

/** Appends the code of a currency that the name gives as a sign: the key of `Price (£)` is `price_gbp`. */
function keyOf(words: readonly string[], currency: string | undefined, { mark }: NameReading): string {
  const isSign = currency !== undefined && mark !== undefined && wordsOf(mark).length === 0
  return snakeCase(isSign && words.length > 0 ? [...words, currency.toLowerCase()] : words)
}

/** Splits a currency sign from the word before it, unless both name a currency: `Price€` is split, `HK$` is not. */
function partSigns(name: string): string {
  return name.replace(/(?<!\p{L})(\p{L}+)(\p{Sc})/gu, (whole, letters, sign) =>
    findNamedCurrency(whole) === undefined ? `${letters} ${sign}` : whole,
  )
}

/** Undefined if the mark is not a unit or currency that the target can have. */
function withMark(name: Name, mark: string | undefined, written: string): Name | undefined {
  if (mark === undefined) return name
  if (isPriceField(name.to)) {
    // `Price (incl. VAT) €`
    if (taxMark.test(mark))
      return { ...name, currency: bareName(partSigns(written)).currency ?? name.currency }
    const currency = findNamedCurrency(mark)
    return currency === undefined ? undefined : { ...name, currency }
  }
  const named = specKeyOf(name.to)
  // `Case (mm)` is not what the case is made of.
  const isSize = named === 'case_material' && !materialWord.test(written)
  const key = isSize && findUnitName('case_diameter', mark) ? 'case_diameter' : named
  if (key === undefined || findScale(key) === undefined) return undefined
  const marked = findUnitName(key, mark)
  // A unit in the name leaves no doubt.
  return marked === undefined ? undefined : { ...name, to: `specs.${key}`, isDoubtful: false, unit: marked }
}

/** A column whose name is not in the table. Brackets may still hold a unit; a currency stays part of the key. */
function ownColumn([whole, bare]: readonly NameReading[]): NamedColumn {
  const own = { to: undefined, rank: 0, isDoubtful: false, unit: undefined, currency: undefined }
  const key = snakeCase(whole?.words ?? [])
  if (bare?.mark === undefined) return { ...own, key }
  const bareKey = snakeCase(bare.words)
  const unit = bare.isBracketed && bareKey !== '' ? findUnitName(bareKey, bare.mark) : undefined
  if (unit !== undefined) return { ...own, key: bareKey, unit }
  const currency = findNamedCurrency(bare.mark)
  return { ...own, key: keyOf(whole?.words ?? [], currency, bare), currency }
}

/** The key of `specs.<key>`. */
export function specKeyOf(to: string): string | undefined {
  return to.startsWith('specs.') ? to.slice('specs.'.length) : undefined
}

/** Whether the key may be stored: a mapping can name it, and a filter can query it. */
export function isSpecKey(key: string): boolean {
  return key.trim() !== '' && key.length <= specKeyCharsMax && !/[\p{Cc}\p{Cs}]/u.test(key)
}

/** Whether the name of a column can give its spec a key: one that was cut cannot, nor can a bad `specs.<key>`. */
export function hasSpecKey(column: string): boolean {
  return !isCutName(column) && isSpecKey(specKeyOf(column) ?? 'none')
}

export function isPriceField(to: string): to is PriceField {
  return to === 'retail_price_usd' || to === 'current_market_price'
}

function addNames(to: string, list: string, unit?: string): void {
  for (const [rank, written] of list.split(/,\s+/).entries()) {
    const name = written.replace('?', '')
    const isDoubtful = written.endsWith('?')
    const currency = name.endsWith(' usd') ? 'USD' : undefined
    for (const spelled of [name, name.replace(/[äöü]/g, (letter) => spelledOut[letter] ?? letter)])
      names.set(wordsOf(spelled).join(''), { to, rank, isDoubtful, unit, currency })
  }
}
