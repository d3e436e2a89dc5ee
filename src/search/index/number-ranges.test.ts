import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CacheBudget } from '../../cache-budget.ts'
import { Dictionary } from '../dictionary/dictionary.ts'
import { DictionaryBuilder } from '../dictionary/dictionary-builder.ts'
import { isWithin } from '../dictionary/terms.ts'
import { MemoryBlocks } from '../sets/memory-blocks.ts'
import { Slots } from '../sets/slots.ts'
import { pageOf } from '../sets/watch-set.ts'
import { NumberRanges } from './number-ranges.ts'
import { packPostings } from './pack-postings.ts'
import { Postings } from './postings.ts'
import { WatchLists } from './watch-lists.ts'

const capacity = 60_000
const plenty = 100_000_000
const operators = ['gt', 'gte', 'lt', 'lte']

/** Watches with several numbers each, and the ranges over them. */
class Model {
  readonly numbers: number[][]
  readonly dictionary: Dictionary
  readonly postings: Postings
  readonly ranges: NumberRanges
  readonly key: number

  constructor(numbers: readonly (readonly number[])[], bytesMax: number) {
    this.numbers = numbers.map((list) => [...list])
    const builder = new DictionaryBuilder()
    this.key = builder.key('ksize')
    const lists = new WatchLists(numbers.length)
    for (const list of this.numbers) {
      for (const number of list) lists.push(builder.value(this.key, `s4:sizen${number}`, number))
      lists.endWatch()
    }
    const memory = new MemoryBlocks()
    const entries = lists.turn(0, builder.size)
    const slots = Slots.create(capacity)
    this.postings = new Postings(packPostings(memory, slots, entries, [], builder.size, numbers.length))
    this.dictionary = new Dictionary(builder.pack(memory))
    const budget = new CacheBudget(bytesMax)
    this.ranges = new NumberRanges(this.dictionary, this.postings, budget)
    budget.share('ranges', this.ranges)
  }

  change(ordinal: number, numbers: readonly number[]): void {
    const termOf = (number: number) => this.dictionary.value(this.key, `s4:sizen${number}`, number)
    for (const number of this.numbers[ordinal] as number[]) this.postings.remove(termOf(number), ordinal)
    for (const number of numbers) this.postings.add(termOf(number), ordinal)
    this.numbers[ordinal] = [...numbers]
    this.ranges.update(ordinal, () => numbers)
  }

  expectFound(operator: string, bound: number): void {
    const { slots } = this.postings
    const found = this.ranges.find('size', this.key, operator, bound)
    const expected = [...this.numbers.keys()].filter((ordinal) =>
      this.numbers[ordinal]?.some((number) => isWithin(number, operator, bound)),
    )
    expect({ operator, bound, count: found.count }).toEqual({ operator, bound, count: expected.length })
    const page = [...pageOf(slots, found, 0, capacity)]
    // To compare such long lists with `toEqual` takes most of the time of the test.
    if (page.length !== expected.length || page.some((ordinal, at) => ordinal !== expected[at])) {
      expect(page).toEqual(expected)
    }
    if (found.slot !== undefined) slots.free(found.slot)
  }
}

const number = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.integer({ min: -2_000, max: 2_000 }),
  fc.constant(0.5),
)
const change = fc.tuple(fc.nat(), fc.uniqueArray(number, { maxLength: 3 }))
const question = fc.tuple(fc.constantFrom(...operators), number)

describe('ranges of a spec key', () => {
  test('have exactly the watches with a value within the bound, also after changes', () => {
    const shape = fc.record({
      // Few of the large ones, which take a hundred times as long.
      size: fc.constantFrom(50, 50, 50, 45_000),
      distinct: fc.constantFrom(3, 40, 3_000),
      values: fc.integer({ min: 1, max: 2 }),
      bytesMax: fc.constantFrom(0, plenty),
    })
    fc.assert(
      fc.property(
        shape,
        fc.array(fc.array(change, { maxLength: 10 }), { maxLength: 3 }),
        fc.array(question, { minLength: 1, maxLength: 6 }),
        ({ size, distinct, values, bytesMax }, rounds, questions) => {
          const numbers = Array.from({ length: size }, (_, at) =>
            Array.from(
              { length: at % 7 === 0 ? 0 : values },
              (_, nth) => ((at * (31 + nth)) % distinct) - nth / 2,
            ),
          )
          const model = new Model(numbers, bytesMax)
          for (const round of [[], ...rounds]) {
            for (const [at, after] of round) model.change(at % size, after)
            for (const [operator, bound] of questions) model.expectFound(operator, bound)
          }
        },
      ),
      { numRuns: 25 },
    )
  })

  test('stay exact after so many changes that they are made anew', () => {
    const model = new Model(
      Array.from({ length: 5_000 }, (_, at) => [at % 100]),
      plenty,
    )
    model.expectFound('gte', 50)
    for (let at = 0; at < 2_500; at++) model.change(at, [at % 2 === 0 ? 200 : -1, at % 90])
    for (const operator of operators)
      for (const bound of [-1, 0, 49.5, 200]) model.expectFound(operator, bound)
  })

  test('of keys beyond the limit of bytes are dropped, and their slots are freed', () => {
    const model = new Model(
      Array.from({ length: 45_000 }, (_, at) => [at % 300]),
      1,
    )
    model.expectFound('lt', 7)
    const used = model.postings.slots.bytes
    const ranges = (key: string) => {
      const { slot } = model.ranges.find(key, model.key, 'lt', 7)
      if (slot !== undefined) model.postings.slots.free(slot)
    }
    for (const key of ['a', 'b', 'c', 'size']) ranges(key)
    expect(model.postings.slots.bytes).toBe(used)
  })
})
