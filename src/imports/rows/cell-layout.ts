// Finds what the names of a record's cells say about other cells: which are amounts, units, minor units or ends of a range,
// and which belong to one object. Records with the same columns share the result.
import { type SaleColumns, saleColumns, tellsOfSale } from './ended-sales.ts'
import { roleOf } from './measures.ts'
import { foldedKey, type NamedCell, placesOf } from './named-cells.ts'
import { isPriceHolder } from './price-lists.ts'
import { isCurrencyMember } from './record-currency.ts'
import { unitHolderOf } from './unit-columns.ts'

/** What the name of a cell says about other cells. */
export interface Clue {
  readonly name: string
  /** The path of the object that has the member; empty for a member of the record itself. */
  readonly group: string
  readonly kind:
    | 'measure'
    | 'low'
    | 'high'
    | 'minorUnit'
    | 'format'
    | 'unit'
    | 'sale'
    | 'currency'
    | 'original'
}

/** An object of the record that has members with clues. */
export interface Group {
  readonly name: string
  readonly clues: readonly Clue[]
  readonly kinds: ReadonlySet<Clue['kind']>
  /** Its own members, without those of inner objects. */
  readonly members: readonly string[]
  /** Whether an inner object says more. */
  readonly hasInner: boolean
  /** Whether the group says nothing besides a range and its currency. */
  readonly isRange: boolean
  /** Whether a member names the currency of others. */
  readonly hasCurrency: boolean
  /** If a member says when there is a sale. */
  readonly sale: SaleColumns | undefined
}

export interface CellLayout {
  readonly names: readonly string[]
  readonly places: ReadonlyMap<string, number>
  /** The places of the cells with clues. */
  readonly clueAts: readonly number[]
  /** By name. */
  readonly groups: ReadonlyMap<string, Group>
}

const groupsMax = 1_000
const cluesMax = 10_000
/** Most files have one or a few lists of columns. */
const layoutsMax = 8
const lows = 'min minimum low lower from lowprice minprice minamount minvalue minvariantprice'.split(' ')
const highs = 'max maximum high upper to highprice maxprice maxamount maxvalue maxvariantprice'.split(' ')
/** How a shop shows its prices, beside the code of their currency. */
const formats = 'symbol decimalseparator thousandseparator prefix suffix'
  .split(' ')
  .map((name) => `currency${name}`)
const minorUnits = ['currencyminorunit', 'currencyexponent', 'priceminorunit']
/** Members of a range of offers that are no prices. */
const besideRanges = ['offercount', 'url', 'availability', 'itemcondition']

const clues = new Map<string, Clue | undefined>()
const layouts: CellLayout[] = []

/** Whether the name of a column may say something about the cell of another. */
export function hasClue(name: string): boolean {
  return clueOf(name) !== undefined
}

export function layoutOf(cells: readonly NamedCell[]): CellLayout {
  const known = layouts.find((layout) => hasNames(layout, cells))
  if (known !== undefined) return known
  const layout = newLayout(cells.map(({ name }) => name))
  if (layouts.length === layoutsMax) layouts.shift()
  layouts.push(layout)
  return layout
}

function hasNames({ names }: CellLayout, cells: readonly NamedCell[]): boolean {
  return names.length === cells.length && names.every((name, at) => name === cells[at]?.name)
}

function newLayout(names: readonly string[]): CellLayout {
  const clueAts = names.flatMap((name, at) => (hasClue(name) ? [at] : []))
  const found = clueAts.map((at) => clueOf(names[at] ?? '')).filter((clue) => clue !== undefined)
  const inGroups = [...Map.groupBy(found, ({ group }) => group)].slice(0, groupsMax)
  const groups = new Map(inGroups.map(([name, inGroup]) => [name, newGroup(name, inGroup, names)]))
  return { names, places: placesOf(names), clueAts, groups }
}

function newGroup(name: string, inGroup: readonly Clue[], names: readonly string[]): Group {
  const start = `${name}.`
  const inside = name === '' ? [] : names.filter((one) => one.startsWith(start))
  const leaves = inside.map((one) => one.slice(start.length))
  return {
    name,
    clues: inGroup,
    kinds: new Set(inGroup.map(({ kind }) => kind)),
    members: leaves.filter((leaf) => leaf !== '' && !leaf.includes('.') && leaf !== '__proto__'),
    hasInner: leaves.some((leaf) => leaf.includes('.')),
    isRange: leaves.every(isOfRange),
    hasCurrency: leaves.some((leaf) => !leaf.includes('.') && isCurrencyMember(leaf)),
    sale: inGroup.some(({ kind }) => kind === 'sale') ? saleColumns(names, name) : undefined,
  }
}

function isOfRange(leaf: string): boolean {
  if (leaf.includes('.')) return false
  const key = foldedKey(leaf)
  const role = roleOf(leaf)
  const isPlain = role === 'currency' || role === 'exponent' || role === 'idle'
  return isPlain || [lows, highs, formats, besideRanges].some((keys) => keys.includes(key))
}

function clueOf(name: string): Clue | undefined {
  if (clues.has(name)) return clues.get(name)
  if (clues.size === cluesMax) clues.clear()
  const at = name.lastIndexOf('.')
  const [group, leaf] = [name.slice(0, Math.max(at, 0)), name.slice(at + 1)]
  const kind = kindOf(group, leaf)
  const clue = kind === undefined ? undefined : { name, group, kind }
  clues.set(name, clue)
  return clue
}

function kindOf(group: string, leaf: string): Clue['kind'] | undefined {
  const key = foldedKey(leaf)
  if (formats.includes(key)) return 'format'
  if (minorUnits.includes(key)) return 'minorUnit'
  if (tellsOfSale(leaf)) return 'sale'
  if (group !== '' && /^original(?:price)?$/.test(key) && isPriceHolder(group)) return 'original'
  const mayHaveRange = group !== '' && (key.endsWith('price') || isPriceHolder(group))
  if (mayHaveRange && lows.includes(key)) return 'low'
  if (mayHaveRange && highs.includes(key)) return 'high'
  const role = group === '' ? undefined : roleOf(leaf)
  const isMeasure = role !== undefined && role !== 'amount' && role !== 'idle' && key !== 'unit'
  // The reader of the file has joined these with an amount, if there is one.
  const isJoined = key === 'currency' || key === 'currencycode' || key === 'pricecurrency'
  if (isMeasure) return isJoined ? 'currency' : 'measure'
  return unitHolderOf(leaf) === undefined ? undefined : 'unit'
}
