// Reads an object that is an amount with its currency or its unit, as the text that a person would write: `5250 USD`,
// `330 ft`. Amounts in minor units, such as cents, are shifted as text, because a float would not be exact.
import { cellText, cleanCell, isNothing } from '../cells/clean-text.ts'
import { findCurrency } from '../cells/currencies.ts'
import { foldedKey, type Members } from './named-cells.ts'

export interface Measure {
  /** Null: the object has no amount. */
  readonly text: string | null
  readonly isMoney: boolean
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

/** Codes of UN/CEFACT, which schema.org uses. */
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
  }),
)
const bareAmount = /^\s*\d[\d.,'’\s]*$/
const decimal = /^(\d+)(?:\.(\d+))?$/

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
  const keyOf = (role: Role) =>
    Object.keys(object).find((key) => roleOf(key) === role && !isNothing(object[key]))
  const [amountKey, currencyKey] = [keyOf('amount'), keyOf('currency')]
  const code = currencyKey === undefined ? undefined : currencyOf(object[currencyKey])
  if (currencyKey !== undefined && code === undefined) return undefined
  const minor = keyOf('minor') ?? keyOf('micros')
  const used = [currencyKey, keyOf('exponent'), keyOf('decimals')]
  if (minor !== undefined && amountKey === undefined) {
    const text = withCurrency(minorAmount(object[minor], digitsOf(object, minor, code)), code)
    return { text, isMoney: true, others: without(object, [...used, minor]) }
  }
  if (amountKey === undefined) return undefined
  const amount = object[amountKey]
  if (!isBareAmount(amount)) return undefined
  if (code !== undefined) {
    const text = withCurrency(wholeAmount(object, amount, minor !== undefined), code)
    return { text, isMoney: true, others: without(object, [...used, amountKey, minor]) }
  }
  const [unitKey, codeKey] = [keyOf('unit'), keyOf('unitCode')]
  const unit = unitOf(object[codeKey ?? '']) ?? unitOf(object[unitKey ?? ''])
  if (unit === undefined) return undefined
  return {
    text: `${cellText(amount).trim()} ${unit}`,
    isMoney: false,
    others: without(object, [amountKey, unitKey, codeKey]),
  }
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
export function shifted(cell: unknown, digits: number): string | undefined {
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
  const options = new Intl.NumberFormat('en', { style: 'currency', currency: code }).resolvedOptions()
  return options.maximumFractionDigits ?? defaultMinorDigits
}

/** An amount beside an exponent is in minor units, unless it has decimals or the minor units are given as well. */
function wholeAmount(object: Members, amount: string | number, hasMinor: boolean): string {
  const text = cellText(amount).trim()
  if (hasMinor || !/^\d+$/.test(text)) return text
  for (const [key, value] of Object.entries(object)) {
    const digits = exponentOf(value)
    if (digits === undefined || digits === 0) continue
    if (roleOf(key) === 'exponent') return minorAmount(text, digits)
    if (roleOf(key) === 'decimals') return `${text} (${key} ${digits}: whole or minor units?)`
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
