// Decides which columns are left out, or are not what their names say: columns of headings, counts of rows, prices of
// each day, private ones, references that repeat the caliber.
import { foldText } from '../../specs/fold.ts'
import { cellText } from '../cells/clean-text.ts'
import { namesKey } from '../key-names.ts'
import type { ColumnDecisions } from './column-decisions.ts'
import { isPriceField, specKeyOf } from './column-names.ts'
import { readName, scriptParts, snakeCase, wordsOf } from './header-words.ts'
import { isPrivateAmount, isPrivateColumn, isPublicUse, isPurchaseName } from './names/private-columns.ts'
import { findPriceHistory } from './price-history.ts'
import { bareName, isNetName, isOriginalName, isPriceName, isSaleName } from './price-names.ts'
import { type ColumnSample, countEqual, emptySample, isRising } from './sample-columns.ts'
import { isMoney, isTruth } from './suggest-reading.ts'

const countingNames: ReadonlySet<string> = new Set(
  ['', 'index', 'idx', 'row', 'row number', 'row no', 'no', 'nr'].map((name) => name.replace(' ', '')),
)
/** Names that may number the watches of a list: in a file without references they are all that tells these apart. */
const numberingNames: ReadonlySet<string> = new Set(['no', 'nr'])
/** Names of counts only if each row adds one: `S. No.` in India, and numbers of watches elsewhere. */
const stepNames: ReadonlySet<string> = new Set(['id', 'sno', 'srno', 'slno', 'sn', 'serial', 'serialno'])
/** The least number and share of rows in which a column must repeat another to be taken for a copy of it. */
const repeatedRowsMin = 3
const repeatedShare = 0.8

/** A caliber of a movement: at least two characters that start with a letter or a digit, one of them a digit, no space. */
const caliber = /^(?=[^\d\s]{0,8}\d)[\p{L}\d][\p{L}\d./-]{1,14}$/u
/** What a smartwatch stores. Elsewhere, the storage is where the watch is kept. */
const memorySize = /\d ?[kmgt][bo]?\b/i
/** Where an owner keeps a watch. Elsewhere, a location is the country of the seller. */
const placeName = /^(?:location|standort|ubicazione|emplacement|ubicacion)$/
const place =
  /\b(?:safe|vault|drawer|shel(?:f|ves)|box|bank|home|office|tresor|schrank|schublade|regal|fach|vitrine|lager|büro|bureau|coffre|tiroir|banque|cassaforte|cassetto|banca|caja|cajón|banco)\b/i
/** What a shop or a database calls all of its watches. */
const anyWatch =
  /^(?:(?:wrist|pocket)? ?watch(?:es)?|timepieces?|(?:armband)?uhr(?:en)?|montres?|orolog[io]|relo(?:j|jes|gios?)|腕時計|手表|products?|default)$/
/** A path is allowed: shops have `dimensions.width`. */
const parcelName = /^(?:[^.]*\.)?(weight|height|width|depth|length)$/i
const parcelMeasuresMin = 3

/** Leaves out a column that has nothing but its own name in its cells. `had`: how many cells a column has with those. */
export function leaveOutHeadings(columns: ColumnDecisions, had: (at: number) => number): void {
  for (const at of columns.undecided()) {
    if (columns.hasCells(at) || had(at) === 0) continue
    columns.decide(at, { to: null })
    columns.notes.push(`The column ${columns.label(at)} only repeats its own name, and is left out.`)
  }
}

/** A price for each day is no spec. */
export function leaveOutHistory(columns: ColumnDecisions): void {
  const history = findPriceHistory(columns.labels, columns.samples)
  if (history === undefined) return
  const dated = history.columns.filter((at) => columns.open.includes(at))
  for (const at of dated) columns.decide(at, { to: null })
  if (dated.length > 0) columns.notes.push(history.note)
}

/** Columns that count the rows. */
export function leaveOutCounts(columns: ColumnDecisions): void {
  const hasReference = [...columns.labels.keys()].some(
    (at) => (columns.decided(at)?.to ?? columns.name(at).to) === 'reference_number' && columns.hasCells(at),
  )
  for (const at of columns.undecided()) {
    const name = wordsOf(columns.label(at))
      .join('')
      .replace(/^(unnamed|column)\d+$/, '')
    if (!hasReference && numberingNames.has(name)) continue
    const sample = columns.sample(at)
    const isCount = stepNames.has(name)
      ? sample.cells.length > 1 && isRising(sample, 1)
      : countingNames.has(name) && isRising(sample)
    if (!isCount) continue
    // Without a reference, it may be all that tells the watches apart.
    const isLast = !hasReference && !columns.open.some((one) => one !== at && namesKey(columns.name(one).key))
    if (!isLast) columns.decide(at, { to: null })
    if (hasReference) continue
    const told = isLast ? 'as a key, it holds for this file alone' : 'it is left out, and is no key'
    columns.notes.push(`The column ${columns.label(at)} only counts the rows: ${told}.`)
  }
}

export function leaveOutPrivate(columns: ColumnDecisions): void {
  for (const at of columns.undecided()) {
    if (!isPrivate(columns, at)) continue
    columns.decide(at, { to: null })
    columns.notes.push(
      `The column ${columns.label(at)} looks private, and is left out: a mapping can make it a spec, which everybody sees.`,
    )
  }
}

export function isPrivate(columns: ColumnDecisions, at: number): boolean {
  const { to, key } = columns.name(at)
  const label = columns.label(at)
  const bare = bareKey(label)
  // What an operator calls a spec is one.
  if (specKeyOf(label) !== undefined) return false
  // `Case #` is the number of the case, and not what it is made of.
  const [, numbered] = /^([^#]*)#\s*(?:[([{].*)?$/s.exec(label) ?? []
  const said = [...(numbered === undefined ? [] : [`${numbered} no`]), ...scriptParts(label)]
  if (said.some(isPrivateName)) return true
  if (to !== undefined) return false
  const isAmount = (cell: unknown) =>
    isMoney({ ...emptySample, cells: [cell] }) || /%\s*$/.test(cellText(cell))
  if (isPrivateAmount(key) || isPrivateAmount(bare)) return columns.sample(at).cells.every(isAmount)
  if (key === 'vendor' || key === 'vendor_name') return isSupplied(columns)
  // A bare share is that of the profit.
  if (label.trim() === '%') return true
  // Beside what was paid, it is from whom.
  if (key === 'from') return columns.labels.some(isPrivateName) && !isOfYears(columns.sample(at))
  if (placeName.test(key)) return columns.sample(at).cells.some((cell) => place.test(cellText(cell)))
  if (key === 'storage') return !columns.sample(at).cells.some((cell) => memorySize.test(cellText(cell)))
  if (isPurchaseName(key)) return !isTruth(columns.sample(at))
  return isPrivateColumn(key) || isPrivateName(label)
}

function isOfYears({ cells }: ColumnSample): boolean {
  return cells.length > 0 && cells.every((cell) => /^(?:1[89]|20)\d\d$/.test(cellText(cell).trim()))
}

/** Beside the brand and what only a dealer knows, the vendor is who sold the watch to the dealer. */
function isSupplied(columns: ColumnDecisions): boolean {
  const isBrand = (at: number) => (columns.decided(at)?.to ?? columns.name(at).to) === 'brand'
  return [...columns.labels.keys()].some(isBrand) && columns.labels.some(isPrivateName)
}

/** Whether the name is that of something private, whatever the cells are. */
export function isPrivateName(name: string): boolean {
  const key = snakeCase(wordsOf(name))
  if (isPrivateColumn(key) || isPrivateColumn(bareKey(name))) return true
  // `Serial (if known)`
  const [, bare] = readName(name)
  return bare?.isBracketed === true && !isPublicUse(key) && isPrivateColumn(snakeCase(bare.words))
}

/** The key without what the name says of tax: `Prix d'achat HT`, `Inkoopprijs excl. btw`. */
function bareKey(name: string): string {
  return snakeCase(bareName(name).words)
}

/** Beside the price of a sale, the original price is the one before the sale, not that of a new watch. */
export function refuseOriginals(columns: ColumnDecisions): void {
  const keyOf = (at: number) => snakeCase(wordsOf(columns.label(at)))
  const isOnSale = [...columns.labels.keys()].some(
    (at) =>
      (columns.decided(at)?.to ?? columns.name(at).to) === 'current_market_price' && isSaleName(keyOf(at)),
  )
  if (!isOnSale) return
  for (const at of columns.undecided()) {
    if (columns.name(at).to === 'retail_price_usd' && isOriginalName(keyOf(at))) columns.forgetName(at)
  }
}

/** Beside the list price, `Prix boutique` is what the shop asks, unless another column is. */
export function takeShopPrices(columns: ColumnDecisions): void {
  const priced = columns.undecided().filter((at) => columns.hasCells(at))
  const having = (to: string) => priced.filter((at) => columns.target(at) === to)
  const isShop = (at: number) => /^prix_boutique(?:_|$)/.test(columns.name(at).key)
  const retail = having('retail_price_usd')
  const shop = retail.find(isShop)
  if (columns.undecided().some((at) => columns.target(at) === undefined && isPriceName(columns.name(at).key)))
    return
  if (shop === undefined || retail.every(isShop) || having('current_market_price').length > 0) return
  if (columns.owner('current_market_price') === undefined)
    columns.decide(shop, { to: 'current_market_price' })
}

/** A price without tax is a spec beside the same one with tax, which is what a buyer pays. */
export function refuseNetPrices(columns: ColumnDecisions): void {
  const prices = columns.undecided().filter((at) => isPriceField(columns.target(at) ?? ''))
  const kindOf = (at: number) => [columns.target(at), ...bareName(columns.label(at)).words].join(' ')
  const isNet = (at: number) => isNetName(columns.label(at))
  const full = new Set(prices.filter((at) => !isNet(at) && columns.hasCells(at)).map(kindOf))
  for (const at of prices.filter((one) => isNet(one) && full.has(kindOf(one)))) columns.forgetName(at)
}

/** A column of references that repeats the calibers of the movements is not the reference of the watch. */
export function refuseCalibers(columns: ColumnDecisions): void {
  const named = (target: string) => columns.undecided().filter((at) => columns.name(at).to === target)
  const calibers = named('specs.caliber')
  for (const at of named('reference_number')) {
    for (const caliber of calibers) {
      const { equal, both } = countEqual(columns.sample(at), columns.sample(caliber))
      if (both < repeatedRowsMin || equal < both * repeatedShare) continue
      columns.forgetName(at)
      columns.notes.push(
        `The column ${columns.label(at)} repeats ${columns.label(caliber)} in ${equal} of ${both} rows, so it is not the reference number.`,
      )
      break
    }
  }
}

/** A movement of which most cells are calibers (`3235`, `MT5612`) is the caliber, if no other column is. */
export function takeCalibers(columns: ColumnDecisions): void {
  const hasTarget = (at: number, target: string) =>
    (columns.decided(at)?.to ?? columns.name(at).to) === target && columns.hasCells(at)
  if ([...columns.labels.keys()].some((at) => hasTarget(at, 'specs.caliber'))) return
  const isCaliber = (cell: unknown) => caliber.test(cellText(cell).trim())
  const found = columns.undecided().find((at) => {
    const { cells } = columns.sample(at)
    return hasTarget(at, 'specs.movement_type') && cells.filter(isCaliber).length * 2 > cells.length
  })
  if (found !== undefined) columns.decide(found, { to: 'specs.caliber' })
}

/**
 * A collection that is the same for several brands is that of the owner, or what a shop calls all it sells: the model
 * says more.
 */
export function refuseOwnCollections(columns: ColumnDecisions): void {
  const valuesOf = (at: number) =>
    new Set(columns.sample(at).cells.map((cell) => foldText(cellText(cell)).toLowerCase()))
  const differs = (at: number) => valuesOf(at).size > 1
  const named = (target: string) => columns.undecided().filter((at) => columns.name(at).to === target)
  if (!named('brand').some(differs)) return
  const collections = named('collection')
  for (const at of collections.filter((one) => columns.hasCells(one) && !differs(one))) {
    const model = collections.find((other) => other !== at && differs(other))
    const isOwner = /^(?:collection|kollektion)$/.test(columns.name(at).key) && model !== undefined
    const isGeneric = [...valuesOf(at)].every((value) => anyWatch.test(value))
    if (!isOwner && !isGeneric) continue
    columns.forgetName(at)
    const taken =
      model === undefined ? 'it is no collection' : `${columns.label(model)} is taken for the collection`
    columns.notes.push(`The column ${columns.label(at)} is the same for several brands, so ${taken}.`)
  }
}

/** The height of a case is its thickness only if no other column is. */
export function refuseHeights(columns: ColumnDecisions): void {
  const named = columns.open.filter((at) => columns.name(at).to === 'specs.thickness' && columns.hasCells(at))
  const heights = named.filter((at) => columns.name(at).isDoubtful)
  if (heights.length === named.length && columns.owner('specs.thickness') === undefined) return
  for (const at of heights) columns.forgetName(at)
}

/** Weight, height, width and depth without units are those of a parcel, if three of them stand together. */
export function refuseParcels(columns: ColumnDecisions): void {
  const isBare = (at: number) =>
    parcelName.test(columns.label(at)) &&
    columns.hasCells(at) &&
    // A known shop has decided already.
    !columns.name(at).key.endsWith('_for_shipping') &&
    columns.sample(at).cells.every((cell) => /^\d+(?:[.,]\d+)?$/.test(cellText(cell).trim()))
  const bare = columns.undecided().filter(isBare)
  if (bare.length < parcelMeasuresMin) return
  for (const at of bare) {
    const [, measure = ''] = parcelName.exec(columns.label(at)) ?? []
    columns.decide(at, { to: `specs.${measure.toLowerCase()}_for_shipping` })
  }
  columns.notes.push(
    `${columns.listed(bare)}: numbers without units that stand together are taken for those of a parcel: say in a mapping if they are those of the watch.`,
  )
}
