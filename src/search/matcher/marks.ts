// Indexes filters by mark: each filter is listed under the rarest mark that a watch must have to match it, so a watch
// is compared with few filters. Marks are numbers here, because every mark of every watch is looked up.

import { isWithin, wordTerm } from '../dictionary/terms.ts'
import { type NumberRange, prefixMark, type WatchCondition } from './conditions.ts'

export interface MarkedFilter {
  readonly text: string
  readonly conditions: readonly WatchCondition[]
}

/** The conditions that remain to be checked on a watch with the mark of the list and the other mark. */
interface IndexedFilter {
  readonly text: string
  /** The watch must have one mark of each list. */
  readonly wanted: readonly (readonly number[])[]
  readonly unwanted: readonly number[]
  readonly ranges: readonly (Omit<NumberRange, 'key'> & { readonly values: KeyNumbers })[]
}

/** The filters of one mark, and another mark that each requires: most filters are rejected by that mark alone. */
interface FilterList {
  readonly filters: IndexedFilter[]
  readonly others: number[]
}

/** A number of a watch, with the key of its range; NaN if the value is not a number. */
export interface WatchNumber {
  readonly key: string
  readonly number: number
}

/** The numbers for a key of the watch that was matched in `turn`. */
interface KeyNumbers {
  turn: number
  numbers: number[]
}

const noMark = -1

export class FilterMarks {
  readonly #numbers = new Map<string, number>()
  readonly #prefixLengths: readonly number[]
  readonly #lists: readonly FilterList[]
  /** The filters without a required mark, which are checked for every watch. */
  readonly #anywhere: FilterList = { filters: [], others: [] }
  /** For each mark the last turn in which it was seen. Every call of `match` is a turn. */
  readonly #seen: Float64Array
  readonly #values = new Map<string, KeyNumbers>()
  #turn = 0

  constructor(filters: readonly MarkedFilter[]) {
    const counts: number[] = []
    const prefixLengths = new Set<number>()
    for (const { wanted, unwanted, prefixLength } of filters.flatMap(({ conditions }) => conditions)) {
      for (const mark of wanted) this.#count(mark, counts)
      for (const mark of unwanted ?? []) this.#count(mark, counts)
      if (prefixLength !== undefined) prefixLengths.add(prefixLength)
    }
    this.#prefixLengths = [...prefixLengths]
    this.#seen = new Float64Array(counts.length)
    this.#lists = counts.map(() => ({ filters: [], others: [] }))
    for (const filter of filters) this.#place(filter, counts)
  }

  /** Returns the numbers of those marks, words and prefixes of words that occur in a filter. */
  find(marks: readonly string[], words: readonly string[]): number[] {
    const found: number[] = []
    const look = (mark: string) => {
      const number = this.#numbers.get(mark)
      if (number !== undefined) found.push(number)
    }
    marks.forEach(look)
    for (const word of words) {
      look(wordTerm(word))
      for (const length of this.#prefixLengths) {
        if (length <= word.length) look(prefixMark(word.slice(0, length)))
      }
    }
    return found
  }

  /** Returns the texts of the filters that match a watch with these marks and numbers. */
  match(marks: Iterable<readonly number[]>, numbers: Iterable<WatchNumber>): Set<string> {
    this.#turn += 1
    for (const number of numbers) this.#take(number)
    const lists = [this.#anywhere]
    for (const some of marks) {
      for (const mark of some) {
        if (this.#isSeen(mark)) continue
        this.#seen[mark] = this.#turn
        lists.push(this.#lists[mark] as FilterList)
      }
    }
    const matching = new Set<string>()
    for (const list of lists) this.#matchList(list, matching)
    return matching
  }

  #count(mark: string, counts: number[]): void {
    const number = this.#numbers.getOrInsert(mark, this.#numbers.size)
    counts[number] = (counts[number] ?? 0) + 1
  }

  #place({ text, conditions }: MarkedFilter, counts: readonly number[]): void {
    const numberOf = (mark: string) => this.#numbers.get(mark) as number
    const needed = conditions
      .map(({ wanted, rank }) => ({ rank, marks: wanted.map(numberOf) }))
      .filter(({ marks }) => marks.length > 0)
      .map((one) => ({ ...one, count: one.marks.reduce((sum, mark) => sum + (counts[mark] as number), 0) }))
      .sort((one, other) => one.rank - other.rank || one.count - other.count)
    const [first, ...others] = needed.map(({ marks }) => marks)
    const single = others.find((marks) => marks.length === 1)
    const waiting = {
      text,
      wanted: others.filter((marks) => marks !== single),
      unwanted: conditions.flatMap(({ unwanted = [] }) => unwanted.map(numberOf)),
      ranges: conditions.flatMap(({ range }) =>
        range === undefined ? [] : [{ ...range, values: this.#valuesOf(range.key) }],
      ),
    }
    const lists = first === undefined ? [this.#anywhere] : first.map((mark) => this.#lists[mark])
    for (const list of lists) {
      list?.filters.push(waiting)
      list?.others.push(single?.[0] ?? noMark)
    }
  }

  #matchList({ filters, others }: FilterList, into: Set<string>): void {
    for (let at = 0; at < others.length; at++) {
      const other = others[at] as number
      if (other !== noMark && !this.#isSeen(other)) continue
      const filter = filters[at] as IndexedFilter
      if (this.#isMatch(filter)) into.add(filter.text)
    }
  }

  #isMatch({ wanted, unwanted, ranges }: IndexedFilter): boolean {
    for (const marks of wanted) if (!this.#isAnySeen(marks)) return false
    if (this.#isAnySeen(unwanted)) return false
    for (const { values, operator, bound } of ranges) {
      if (values.turn !== this.#turn) return false
      if (!values.numbers.some((number) => isWithin(number, operator, bound))) return false
    }
    return true
  }

  #valuesOf(key: string): KeyNumbers {
    return this.#values.getOrInsertComputed(key, () => ({ turn: this.#turn, numbers: [] }))
  }

  #take({ key, number }: WatchNumber): void {
    const values = Number.isNaN(number) ? undefined : this.#values.get(key)
    if (values === undefined) return
    if (values.turn === this.#turn) values.numbers.push(number)
    else {
      values.turn = this.#turn
      values.numbers = [number]
    }
  }

  #isAnySeen(marks: readonly number[]): boolean {
    for (const mark of marks) if (this.#isSeen(mark)) return true
    return false
  }

  #isSeen(mark: number): boolean {
    return this.#seen[mark] === this.#turn
  }
}
