// Reads an object that is an amount with its currency or its unit, as the text that a person would write: `5250 USD`,
// `330 ft`. Amounts in minor units, such as cents, are shifted as text, because a float would not be exact.
import { cellText, cleanCell, isNothing } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { foldedKey, type Members } from './named-cells.ts'

export interface Measure {
  /** Null: the object has no amount. */
  readonly text: string | null
  readonly isMoney: boolean
  /** The unit of what is no money. */
  readonly unit?: string
  /** The members that say more than the amount. */
  readonly others: Members
}

type Role =
  | 'amount'
  | 'minor'
  | 'micros'
  | 'exponent'
  | 'decimals'
  | 'currency'
  | 'unit'
  | 'unitCode'
  | 'idle'

type KeysByRole = Readonly<Partial<Record<Role, string>>>

const roleNames: Readonly<Record<Role, string>> = {
  amount: 'amount value',
  minor: `cents centamount amountcents amountincents amountminor minoramount amountinminorunits amountminorunits
    fractionalamount valuecents valueincents valueminor pence`,
  micros: 'amountmicros',
  exponent: 'exponent currencyexponent currencyminorunit minorunit minorunits',
  // These may also say how an amount in whole units is shown.
  decimals: 'fractiondigits precision scale decimals',
  currency: 'currency currencycode currencyiso currencyisocode isocurrency pricecurrency',
  unit: 'unit units unittext uom unitofmeasure',
  unitCode: 'unitcode',
  idle: 'type typename',
}
const roles = new Map(
  Object.entries(roleNames).flatMap(([role, names]) =>
    names.split(/\s+/).map((name): [string, Role] => [name, role as Role]),
  ),
)
/** Roles by the keys of objects as they are written. */
const knownRoles = new Map<string, Role | undefined>()
const knownRolesMax = 10_000
const roleCharsMax = 40
/** Values of `type` that say how the amount is written. */
const idleTypes = /^(?:centPrecision|highPrecision|money|QuantitativeValue|MonetaryAmount|MoneyV2)$/i
const microsDigits = 6
const exponentMax = 6
const defaultMinorDigits = 2
const unitCharsMax = 20

/** Codes of UN/CEFACT, which schema.org uses, and of Shopify. */
const unitsByCode: ReadonlyMap<string, string> = new Map(
  Object.entries({
    MMT: 'mm',
    CMT: 'cm',
    INH: 'in',
    MTR: 'm',
    FOT: 'ft',
    GRM: 'g',
    KGM: 'kg',
    ONZ: 'oz',
    CTM: 'ct',
    MIN: 'min',
    HUR: 'h',
    DAY: 'days',
    WEE: 'weeks',
    MON: 'months',
    ANN: 'years',
    BAR: 'bar',
    ATM: 'atm',
    HTZ: 'Hz',
    KHZ: 'kHz',
    MILLIMETERS: 'mm',
    CENTIMETERS: 'cm',
    INCHES: 'in',
    METERS: 'm',
    FEET: 'ft',
    GRAMS: 'g',
    KILOGRAMS: 'kg',
    OUNCES: 'oz',
    POUNDS: 'lb',
  }),
)
/** Minor units that may be only the rest of an amount. */
const maybeParts = ['cents', 'pence']
const bareAmount = /^\s*\d[\d.,'’\s]*$/
const decimal = /^(\d+)(?:\.(\d+))?$/

/** By currency, of which there are few. */
const minorDigits = new Map<string, number>()

/** What a member says of an amount; undefined: nothing. */
export function roleOf(key: string): Role | undefined {
  if (knownRoles.has(key)) return knownRoles.get(key)
  const role = key.length > roleCharsMax ? undefined : roles.get(foldedKey(key))
  if (knownRoles.size === knownRolesMax) knownRoles.clear()
  knownRoles.set(key, role)
  return role
}

/** Undefined if the object is no amount. */
export function readMeasure(object: Members): Measure | undefined {
  const keys = keysByRole(object)
  if (keys.amount === undefined && keys.minor === undefined && keys.micros === undefined) return undefined
  const code = keys.currency === undefined ? undefined : currencyOf(object[keys.currency])
  if (keys.currency !== undefined && code === undefined) return undefined
  if (keys.amount === undefined) return readMinor(object, keys, code)
  const amount = object[keys.amount]
  if (!isBareAmount(amount)) return undefined
  const unit = unitOf(object[keys.unitCode ?? '']) ?? unitOf(object[keys.unit ?? ''])
  if (code !== undefined || (unit === undefined && keys.exponent !== undefined)) {
    const used = [keys.currency, keys.exponent, keys.decimals, keys.amount, keys.minor ?? keys.micros]
    const text = withCurrency(wholeAmount(object, amount, keys), code)
    return { text, isMoney: true, others: without(object, used) }
  }
  if (unit === undefined) return undefined
  const others = without(object, [keys.amount, keys.unit, keys.unitCode])
  return { text: `${cellText(amount).trim()} ${unit}`, isMoney: false, unit, others }
}

/** An amount in minor units alone. `cents` beside another number may be only the rest of an amount: `{dollars, cents}`. */
function readMinor(object: Members, keys: KeysByRole, code: string | undefined): Measure | undefined {
  const minor = keys.minor ?? keys.micros
  if (minor === undefined) return undefined
  const others = without(object, [keys.currency, keys.exponent, keys.decimals, minor])
  const numbers = maybeParts.includes(foldedKey(minor))
    ? Object.keys(others).filter((key) => roleOf(key) === undefined && isBareAmount(others[key]))
    : []
  if (numbers.length === 0) {
    const text = withCurrency(minorAmount(object[minor], digitsOf(object, minor, code)), code)
    return { text, isMoney: true, others }
  }
  // The numbers of an object that has nothing else are one amount, and of a longer one they may be anything.
  const isAmount = numbers.length === Object.keys(others).length
  const named = (isAmount ? [...numbers, minor] : [minor]).map((key) => `${key}: ${cellText(object[key])}`)
  return { text: `${named.join(', ')} (minor units?)`, isMoney: true, others: isAmount ? {} : others }
}

/** The first member of each role that is not empty. */
function keysByRole(object: Members): KeysByRole {
  const keys: { [role in Role]?: string } = {}
  for (const key of Object.keys(object)) {
    const role = roleOf(key)
    if (role !== undefined && keys[role] === undefined && !isNothing(object[key])) keys[role] = key
  }
  return keys
}

/** The unit of a text or of a code; undefined if it is none. */
export function unitOf(cell: unknown): string | undefined {
  const text = typeof cell === 'string' ? cleanCell(cell) : ''
  if (text === '' || text.length > unitCharsMax) return undefined
  return unitsByCode.get(text.toUpperCase()) ?? (/\d/.test(text) ? undefined : text)
}

/** The ISO code of a cell that names a currency. */
export function currencyOf(cell: unknown): string | undefined {
  return typeof cell === 'string' ? findCurrency(cleanCell(cell)) : undefined
}

export function isBareAmount(cell: unknown): cell is string | number {
  return typeof cell === 'number' || (typeof cell === 'string' && bareAmount.test(cell))
}

/** The number of digits by which an amount is shifted; undefined if the cell is none. */
export function exponentOf(cell: unknown): number | undefined {
  const digits = isNothing(cell) ? Number.NaN : Number(cell)
  return Number.isInteger(digits) && digits >= 0 && digits <= exponentMax ? digits : undefined
}

/** Shifts the decimal point to the left, and rounds to cents: `525050` by 2 is `5250.5`. Undefined if it is no number. */
function shifted(cell: unknown, digits: number): string | undefined {
  const [, whole, fraction = ''] = decimal.exec(cellText(cell).trim()) ?? []
  if (whole === undefined) return undefined
  const scale = digits + fraction.length
  const padded = (whole + fraction).padStart(scale + 1, '0')
  const at = padded.length - scale
  const decimals = padded.slice(at).padEnd(3, '0')
  const cents = BigInt(padded.slice(0, at) + decimals.slice(0, 2)) + (decimals.charAt(2) >= '5' ? 1n : 0n)
  const text = String(cents).padStart(3, '0')
  return `${text.slice(0, -2)}.${text.slice(-2)}`.replace(/\.?0+$/, '')
}

export function withCurrency(amount: string, code: string | undefined): string {
  return code === undefined ? amount : `${amount} ${code}`
}

/** What is no number keeps a text that no price can be read from, so that it is reported. */
function minorAmount(cell: unknown, digits: number): string {
  return shifted(cell, digits) ?? `${cellText(cell)} (minor units)`
}

function digitsOf(object: Members, key: string, code: string | undefined): number {
  if (roleOf(key) === 'micros') return microsDigits
  const isHighPrecision = Object.values(object).includes('highPrecision')
  const given = Object.keys(object).find((one) => ['exponent', 'decimals'].includes(roleOf(one) ?? ''))
  const said = given === undefined || isHighPrecision ? undefined : exponentOf(object[given])
  return said ?? minorDigitsOf(code)
}

function minorDigitsOf(code: string | undefined): number {
  if (code === undefined) return defaultMinorDigits
  const known = minorDigits.get(code)
  if (known !== undefined) return known
  const options = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
  const digits = options.maximumFractionDigits ?? defaultMinorDigits
  minorDigits.set(code, digits)
  return digits
}

/**
 * Digits in a string beside an exponent are minor units. A number may be either: JSON writes 5250.00 as 5250. What may be
 * either keeps a text that no price can be read from.
 */
export function amountBeside(amount: string | number, key: string, digits: number): string {
  const text = cellText(amount).trim()
  if (digits === 0 || !/^\d+$/.test(text)) return text
  const isShifted = typeof amount === 'string' && roleOf(key) === 'exponent'
  return isShifted ? minorAmount(text, digits) : `${text} (${key} ${digits}: whole or minor units?)`
}

function wholeAmount(object: Members, amount: string | number, keys: KeysByRole): string {
  const text = cellText(amount).trim()
  if (keys.minor !== undefined) {
    const minor = shifted(
      object[keys.minor],
      digitsOf(object, keys.minor, currencyOf(object[keys.currency ?? ''])),
    )
    const isSame = minor === undefined || !decimal.test(text) || Number(minor) === Number(text)
    return isSame ? text : `${text} (${keys.minor}: ${cellText(object[keys.minor])}?)`
  }
  if (keys.micros !== undefined) return text
  for (const key of [keys.exponent, keys.decimals]) {
    const digits = key === undefined ? undefined : exponentOf(object[key])
    if (key !== undefined && digits !== undefined && digits > 0) return amountBeside(amount, key, digits)
  }
  return text
}

function without(object: Members, used: readonly (string | undefined)[]): Members {
  const others = Object.entries(object).filter(
    ([key, value]) =>
      !used.includes(key) && !(roleOf(key) === 'idle' && (key === '@type' || idleTypes.test(String(value)))),
  )
  return Object.fromEntries(others)
}
