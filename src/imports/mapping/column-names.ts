// The table of column names that operators' files use for the fields and specs of a watch, and the lookup in it. Add
// new names here. Case, accents, spaces and punctuation do not matter; units and currencies are split off first.
import { findScale, findUnitName } from '../../specs/units.ts'
import { findNamedCurrency } from '../cells/currencies.ts'
import { specKeyCharsMax } from '../limits.ts'
import { type NameReading, readName, snakeCase, wordsOf } from './header-words.ts'

export type PriceField = 'retail_price_usd' | 'current_market_price'
type NameField = 'brand' | 'collection' | 'reference_number' | 'currency'

/** What a column's name tells about the column. */
export interface NamedColumn {
  /** A field, or `specs.<key>`. Undefined: the name is not in the table. */
  readonly to: string | undefined
  /** Position among the names of the target: a lower rank is a more specific name. */
  readonly rank: number
  /** Whether the cells must confirm the target, because the name is ambiguous: `Size` may be S, M and L. */
  readonly isDoubtful: boolean
  /** The name of the unit of bare numbers. */
  readonly unit: string | undefined
  /** The ISO code of the currency of bare amounts. */
  readonly currency: string | undefined
  /** The spec key made from the name, for a column that becomes a spec of its own. Empty: no letters or digits. */
  readonly key: string
}

/** Target → names, the most specific first. A question mark: only if the cells parse as such a quantity or price. */
const fieldNames: Readonly<Record<NameField | PriceField, string>> = {
  brand:
    'brand, brand name, watch brand, manufacturer, maker, make, watchmaker, marke, hersteller, marque, marca',
  collection:
    'collection, collection name, kollektion, family, model family, line, product line, series, serie, model name, model, modell, modele, modelo, modello',
  reference_number:
    'reference number, reference no, reference nr, reference, ref number, ref no, ref nr, ref num, ref, watch reference, manufacturer reference, manufacturer reference number, referenznummer, referenz, numero de reference, referencia, riferimento, model reference, model ref, model number, model no, model nr, manufacturer part number, mpn, part number, part no, part nr',
  currency:
    'currency, currency code, price currency, iso currency, currency iso, curr, ccy, wahrung, waehrung, devise, valuta, moneda, divisa, moeda, waluta',
  retail_price_usd:
    'retail price usd, retail price, price retail, prices retail, msrp, rrp, srp, retail?, recommended retail price, suggested retail price, official price, list price, catalog price, catalogue price, new price, uvp, listenpreis, neupreis, prix public, prix catalogue',
  current_market_price:
    'current market price, market price, price market, prices market, market value, marktpreis, current price, current value, price, preis, prix, prezzo, precio, asking price, selling price, sale price, listing price, listed price, offer price, resale price, resale value, resale?, secondary market price, pre owned price, used price, verkaufspreis, angebotspreis, prix de vente',
}

const specNames: Readonly<Record<string, string>> = {
  movement_type:
    'movement type, movement, winding type, winding, drive, uhrwerk, aufzug, antrieb, mouvement, movimento, movimiento',
  case_material: 'case material, gehausematerial, materiau boitier, case, gehause, boitier, cassa, caja',
  dial_color:
    'dial color, dial colour, zifferblattfarbe, couleur cadran, couleur du cadran, dial, zifferblatt, cadran, quadrante, esfera',
  water_resistance:
    'water resistance, water resistance rating, depth rating, wasserdichtigkeit, etancheite, water resistant?, waterproof?, wasserdicht?, wr?',
  crystal: 'crystal, crystal material, crystal type, glass, glass type, glas, glasart, verre, vetro, cristal',
  power_reserve: 'power reserve, gangreserve, reserve de marche, riserva di carica',
  case_shape: 'case shape, shape, gehauseform',
  bracelet_material:
    'bracelet material, strap material, band material, armbandmaterial, bracelet, strap, band, armband, cinturino, correa',
  case_diameter:
    'case diameter, gehausedurchmesser, diameter, durchmesser, diametre, diametro, case size?, watch size?, size?, dimensions?, dimension?, grosse?',
  thickness: 'thickness, case thickness, dicke, hohe?, epaisseur, case height?, height?',
  lug_width: 'lug width, lug size, strap width, band width, bandanstoss, entre corne, entrecorne',
  lug_to_lug: 'lug to lug, lug to lug distance, l2l',
  caliber:
    'caliber, calibre, kaliber, calibro, movement caliber, movement calibre, caliber number, calibre number',
  frequency: 'frequency, frequenz, frequence',
  jewels: 'jewels, number of jewels, jewel count, steine, rubis',
  functions: 'functions, function, funktionen, fonctions, complications, complication, komplikationen',
  bezel: 'bezel, lunette',
  year: 'year, year of production, production year, year of manufacture, baujahr, herstellungsjahr, jahr, annee, anno',
  year_introduced: 'year introduced, introduced, release year, launch year',
  gender: 'gender, sex, geschlecht, genre',
  case_back: 'case back, caseback, gehauseboden',
  crown: 'crown, krone, couronne',
  strap_closure: 'strap closure, clasp, clasp type, buckle, closure, schliesse, fermoir',
  numerals: 'numerals, dial numerals, ziffern',
  lume: 'lume, luminescence, luminous material',
  certification: 'certification, certificate, zertifizierung',
  limited_edition: 'limited edition, limited',
  weight: 'weight, total weight, gewicht, poids',
}

/** Unit → names of a frequency that imply this unit. */
const unitNames: Readonly<Record<string, string>> = {
  vph: 'beat rate, beatrate, vph, bph, vibrations per hour, beats per hour, halbschwingungen',
}

interface Name extends Omit<NamedColumn, 'key'> {
  readonly to: string
}

const names = new Map<string, Name>()
for (const [field, list] of Object.entries(fieldNames)) addNames(field, list)
for (const [key, list] of Object.entries(specNames)) addNames(`specs.${key}`, list)
for (const [unit, list] of Object.entries(unitNames)) addNames('specs.frequency', list, unit)

export function readColumnName(name: string): NamedColumn {
  const readings = readName(partSigns(name))
  // A percentage is neither a price nor a measure, whatever else the name says.
  if (name.includes('%')) return ownColumn(readings)
  // Currency signs are not part of words, so the whole name `Price (£)` has the same words as `Price` and would match
  // without its currency. Readings whose mark is a sign are tried first.
  const signed = readings.filter(({ mark }) => mark !== undefined && wordsOf(mark).length === 0)
  for (const reading of [...signed, ...readings]) {
    const found = names.get(reading.words.join(''))
    const marked = found === undefined ? undefined : withMark(found, reading.mark)
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
function withMark(name: Name, mark: string | undefined): Name | undefined {
  if (mark === undefined) return name
  if (isPriceField(name.to)) {
    const currency = findNamedCurrency(mark)
    return currency === undefined ? undefined : { ...name, currency }
  }
  const key = specKeyOf(name.to)
  if (key === undefined || findScale(key) === undefined) return undefined
  const marked = findUnitName(key, mark)
  // A unit in the name leaves no doubt.
  return marked === undefined ? undefined : { ...name, isDoubtful: false, unit: marked }
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

export function isPriceField(to: string): to is PriceField {
  return to === 'retail_price_usd' || to === 'current_market_price'
}

function addNames(to: string, list: string, unit?: string): void {
  for (const [rank, written] of list.split(', ').entries()) {
    const name = written.replace('?', '')
    const isDoubtful = written.endsWith('?')
    const currency = name.endsWith(' usd') ? 'USD' : undefined
    names.set(wordsOf(name).join(''), { to, rank, isDoubtful, unit, currency })
  }
}
