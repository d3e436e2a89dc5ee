// Counts how many different values the columns have that may tell watches apart, in bounded memory, so that the advice
// to import with --key is given only for a column that can be a key.
import type { FileRecord } from '../files/records.ts'
import { cellText, isEmpty, isNothing } from './cells/clean-text.ts'
import { namesKey, rankKey } from './key-names.ts'
import { readColumnName, specKeyOf } from './mapping/column-names.ts'
import type { Mapping } from './mapping.ts'

export interface KeyCount {
  /** The key of the spec that the column becomes. */
  readonly key: string
  /** Rows of the file, without blank ones. */
  readonly rows: number
  /** How many of the rows have a value. */
  readonly filled: number
  /** How many different values there are. An estimate if the file has more than `hashesMax`. */
  readonly different: number
}

const columnsMax = 3
const hashesMax = 20_000
const keyCharsMax = 200
const longTextChars = 5
/** The least share of values that are different. */
const differentShare = 0.99
/** The least share of rows that have a value. */
const filledShare = 0.75

/** Whether the column can tell watches apart: all rows have a value, and nearly all values are different. */
function isKey({ rows, filled, different }: KeyCount): boolean {
  return rows > 1 && filled === rows && different >= filled * differentShare
}

/** Some rows have no value: they are no watches, such as gift cards, or are rejected. */
function isKeyOfMost({ rows, filled, different }: KeyCount): boolean {
  return rows > filled && filled >= rows * filledShare && filled > 1 && different === filled
}

/**
 * Advises a key with the counts that prove it, or says that no column can be one. Completes "If …:". `isBeginning`: only
 * the first rows of the file were counted.
 */
export function adviseKey(counts: readonly KeyCount[], isBeginning = false): string {
  const key = counts.find(isKey)
  if (key !== undefined)
    return `import with --key ${optionFor(key.key)}, as ${key.key} is different in ${shareText(key, isBeginning)}`
  const part = counts.find(isKeyOfMost)
  if (part !== undefined)
    return `import with --key ${optionFor(part.key)}, as ${part.key} is different in all ${partText(part, isBeginning)}`
  const [best] = [...counts].sort((one, other) => other.different - one.different)
  const isNear = best !== undefined && best.different * 2 >= best.rows && best.rows > 1
  const nearest = isNear ? `: ${best.key} is different in only ${shareText(best, isBeginning)}` : ''
  return `no column that is named like a key tells the rows apart${nearest}`
}

function partText({ rows, filled }: KeyCount, isBeginning: boolean): string {
  const [some, others] = [filled, rows - filled].map((count) => count.toLocaleString('en-US'))
  const of = isBeginning ? 'of the first rows ' : ''
  return `${some} ${of}that have one; without one, ${others} would be rejected`
}

/** `--key id` may mean the ids of the catalogue, and `--key reference` the reference. */
function optionFor(key: string): string {
  return /^(?:id|reference|reference_number)$|^specs?\./.test(key) ? `specs.${key}` : key
}

function shareText({ rows, different }: KeyCount, isBeginning: boolean): string {
  const [some, all] = [different, rows].map((count) => count.toLocaleString('en-US'))
  return `${some} of ${isBeginning ? 'the first ' : ''}${all} ${rows === 1 ? 'row' : 'rows'}`
}

/** Adds up the counts of several files, for the keys that all of them have. */
export function sumCounts(files: readonly (readonly KeyCount[])[]): KeyCount[] {
  const [first = [], ...others] = files
  return first.flatMap((count) => {
    const same = others.map((counts) => counts.find(({ key }) => key === count.key))
    return same.some((one) => one === undefined) ? [] : [same.reduce<KeyCount>(added, count)]
  })
}

function added(one: KeyCount, other: KeyCount | undefined): KeyCount {
  return {
    key: one.key,
    rows: one.rows + (other?.rows ?? 0),
    filled: one.filled + (other?.filled ?? 0),
    different: one.different + (other?.different ?? 0),
  }
}

export class KeyCounter {
  readonly #columns: readonly CountedColumn[]
  #rows = 0

  constructor({ columns, isExport }: Mapping) {
    const counted = columns.flatMap(({ column, to, as, isFallback }, number) => {
      // As a reference, it says which model the watch is, and not which piece.
      if (readColumnName(column).to === 'reference_number') return []
      const key = specKeyOf(to ?? '')
      const isCode = !isFallback && (as === 'text' || as === 'number' || as === 'any')
      return key !== undefined && isCode && namesKey(key) ? [{ key, number }] : []
    })
    this.#columns = isExport
      ? []
      : counted
          .sort((one, other) => rankKey(one.key) - rankKey(other.key) || one.number - other.number)
          .slice(0, columnsMax)
          .map(({ key, number }) => new CountedColumn(key, number))
  }

  add({ columns, cells }: FileRecord): void {
    this.#rows++
    for (const counted of this.#columns) {
      const at = columns[counted.number] === counted.number ? counted.number : columns.indexOf(counted.number)
      const cell = at < 0 ? '' : cells[at]
      if (isEmpty(cell)) continue
      const text = cellText(cell)
      // Only short texts are placeholders such as `n/a`.
      if (text.length > keyCharsMax || (text.length < longTextChars && isNothing(text))) continue
      counted.add(text)
    }
  }

  counts(): KeyCount[] {
    return this.#columns.map((column) => ({ ...column.count(), rows: this.#rows }))
  }
}

/**
 * Counts the values of one column by their hashes. When there are too many, only every second hash is kept, then every
 * fourth, and so on: the share of different values among these stands for all.
 */
class CountedColumn {
  readonly number: number
  readonly #key: string
  /** Hash → rows that have it. */
  #hashes = new Map<number, number>()
  /** Rows whose hash is kept. */
  #kept = 0
  /** Hashes that have one of these bits are not kept. */
  #mask = 0
  #filled = 0

  constructor(key: string, number: number) {
    this.#key = key
    this.number = number
  }

  add(text: string): void {
    this.#filled++
    const low = hashOf(text, 0x811c9dc5)
    if ((low & this.#mask) !== 0) return
    const hash = (hashOf(text, 0x9747b28c) & 0xfffff) * 2 ** 32 + low
    this.#kept++
    this.#hashes.set(hash, (this.#hashes.get(hash) ?? 0) + 1)
    if (this.#hashes.size <= hashesMax) return
    this.#mask = this.#mask * 2 + 1
    this.#hashes = new Map([...this.#hashes].filter(([one]) => (one & this.#mask) === 0))
    this.#kept = this.#hashes.values().reduce((sum, rows) => sum + rows, 0)
  }

  count(): Omit<KeyCount, 'rows'> {
    const share = this.#kept === 0 ? 0 : this.#hashes.size / this.#kept
    return { key: this.#key, filled: this.#filled, different: Math.round(this.#filled * share) }
  }
}

/** A 32-bit hash that ignores the case of ASCII letters, as keys do. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    hash = Math.imul(hash ^ (unit >= 65 && unit <= 90 ? unit + 32 : unit), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return Math.imul(hash ^ (hash >>> 13), 0x85ebca6b) >>> 0
}
