// Turns attributes that are given as pairs of name and value into columns: `Attribute 1 name` and `Attribute 1 value(s)`
// of a CSV, and lists like `[{"name": "Case material", "value": "Steel"}]` of JSON and Parquet.
import type { FileRecord, RecordBatch } from '../../files/records.ts'
import { cleanCell, isNothing } from '../cells/clean-text.ts'
import { columnNameCharsMax, columnsMax } from '../limits.ts'

/** A column of names, and the column of their values. */
interface PairedColumns {
  readonly name: number
  readonly value: number
  /** Other columns of the attribute, which only say how a shop shows it. */
  readonly others: readonly number[]
}

interface Pair {
  readonly name: string
  readonly value: unknown
}

const numbered =
  /^(attribut[eo]?|option|spec|specification|property|feature|merkmal|eigenschaft)[ _]?(\d+)[ _]?(.+)$/i
const saysName = /^(?:name|nom|nombre|nome|label|bezeichnung)$/i
const saysValue =
  /^(?:values?|value\(s\)|werte?|wert\(e\)|valeurs?|valeur\(s\)|valor(?:es)?|valor\(es\)|valor[ei]|valore\/i)$/i
const saysShown = /^(?:visible|global|default|sichtbar|standard|linked to)$/i
const nameKeys = ['name', 'label', 'title', 'attribute', 'property', 'key'] as const
const valueKeys = ['value', 'values', 'val', 'options', 'option'] as const
/** Members of a pair that say nothing about the watch. */
const idleKeys: ReadonlySet<string> = new Set(
  '@type id key slug namespace type position visible variation global description'.split(' '),
)
const pairsMax = 1_000
/** The columns of numbered attributes are named `attributes.Case material`. */
const numberedHolder = 'attributes'
/** The value of a Shopify product without options. */
const noOption = 'Default Title'

export class PairColumns {
  /** The names of all columns: those of the file and those made of pairs, in the order of their first appearance. */
  #names: string[] = []
  readonly #places = new Map<string, number>()
  /** Column of the file → column of the result. */
  #placeOf: number[] = []
  #paired: readonly PairedColumns[] = []
  #hasPairs = false

  spread(batch: RecordBatch): RecordBatch {
    this.#learn(batch.columns)
    const records = batch.records.map((record) => this.#spreadRecord(record, batch.columns))
    return { ...batch, columns: this.#hasPairs ? [...this.#names] : batch.columns, records }
  }

  /** Adds the columns of the file that are new. */
  #learn(columns: readonly string[]): void {
    if (columns.length === this.#placeOf.length) return
    for (const name of columns.slice(this.#placeOf.length)) {
      // A pair may have made a column of the same name; two columns may also share it in a CSV.
      const place = this.#places.get(name) ?? this.#addColumn(name)
      this.#placeOf.push(this.#placeOf.includes(place) ? this.#addColumn(name) : place)
    }
    this.#paired = pairedColumns(columns)
  }

  #addColumn(name: string): number {
    const place = this.#names.push(name) - 1
    if (!this.#places.has(name)) this.#places.set(name, place)
    return place
  }

  #spreadRecord(record: FileRecord, columns: readonly string[]): FileRecord {
    const { cells: given } = record
    const mayHavePairs = this.#paired.length > 0 || given.some(Array.isArray)
    if (!mayHavePairs && !this.#hasPairs) return record
    const cells = [...given]
    const values = new Map<number, unknown>()
    for (const { name, value, others } of this.#paired) {
      const pair = { name: nameOf(given[name]), value: given[value] }
      if (pair.name === '' || isNothing(pair.value)) continue
      const isKept = pair.value === noOption || this.#put(values, numberedHolder, [pair])
      if (isKept) for (const at of [name, value, ...others]) cells[at] = ''
    }
    for (let at = 0; at < given.length; at++) {
      const cell = given[at]
      if (!Array.isArray(cell)) continue
      const holder = columns[record.columns[at] ?? -1] ?? ''
      // A list under `specs.<key>` is the value of that spec.
      const pairs = holder.startsWith('specs.') ? undefined : pairsOf(cell)
      const place = holder === 'specs' ? numberedHolder : holder
      if (pairs !== undefined && this.#put(values, place, pairs.list) && pairs.isWhole) cells[at] = null
    }
    if (values.size > 0) this.#hasPairs = true
    else if (!this.#hasPairs) return { ...record, cells }
    const places = record.columns.map((column) => this.#placeOf[column] ?? column)
    return { ...record, columns: [...places, ...values.keys()], cells: [...cells, ...values.values()] }
  }

  /** Adds the values of pairs. Returns false, and adds nothing, if there would be too many columns. */
  #put(values: Map<number, unknown>, holder: string, pairs: readonly Pair[]): boolean {
    const names = pairs.map(({ name }) => `${holder}.${name}`)
    const fresh = new Set(names.filter((name) => !this.#places.has(name)))
    const isTooMuch = this.#names.length + fresh.size > columnsMax || names.some(isTooLong)
    if (isTooMuch || names.some((name) => this.#placeOf.includes(this.#places.get(name) ?? -1))) return false
    for (const [at, { value }] of pairs.entries()) {
      const name = names[at] as string
      const place = this.#places.get(name) ?? this.#addColumn(name)
      const known = values.get(place)
      // An attribute that is named several times is a list.
      values.set(place, known === undefined ? value : [known, value].flat())
    }
    return true
  }
}

function pairedColumns(columns: readonly string[]): PairedColumns[] {
  const parts = columns.flatMap((column, at) => {
    const [, holder, number, says = ''] = numbered.exec(column) ?? []
    return holder === undefined ? [] : [{ attribute: `${holder} ${number}`.toLowerCase(), says, at }]
  })
  return [...Map.groupBy(parts, ({ attribute }) => attribute).values()].flatMap((same) => {
    const [name] = same.filter(({ says }) => saysName.test(says))
    const [value] = same.filter(({ says }) => saysValue.test(says))
    const others = same.filter(({ says }) => saysShown.test(says)).map(({ at }) => at)
    return name === undefined || value === undefined ? [] : [{ name: name.at, value: value.at, others }]
  })
}

/** Undefined if the list is not made of pairs. `isWhole`: the pairs say all that the list says. */
function pairsOf(list: readonly unknown[]): { list: Pair[]; isWhole: boolean } | undefined {
  if (list.length === 0 || list.length > pairsMax) return undefined
  const pairs: Pair[] = []
  let isWhole = true
  for (const one of list) {
    if (typeof one !== 'object' || one === null || Array.isArray(one)) return undefined
    const members = one as Readonly<Record<string, unknown>>
    const nameKey = nameKeys.find((key) => nameOf(members[key]) !== '')
    const valueKey = valueKeys.find((key) => Object.hasOwn(members, key))
    if (nameKey === undefined || valueKey === undefined) return undefined
    const { [nameKey]: name, [valueKey]: raw, unit, ...others } = members
    isWhole &&= Object.keys(others).every((key) => idleKeys.has(key))
    const value = Array.isArray(raw) && raw.length === 1 ? raw[0] : raw
    if (isNothing(value)) continue
    const isBare = typeof unit === 'string' && unit.trim() !== '' && /^[\d.,\s]+$/.test(String(value))
    pairs.push({ name: nameOf(name), value: isBare ? `${value} ${unit}` : value })
  }
  return { list: pairs, isWhole }
}

function nameOf(cell: unknown): string {
  return typeof cell === 'string' ? cleanCell(cell) : ''
}

function isTooLong(name: string): boolean {
  return name.length > columnNameCharsMax
}
