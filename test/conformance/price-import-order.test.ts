// Tests that the order of a price import does not matter: for any order of lines and files, the history equals one
// computed day by day.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  linesOf,
  noPrice,
  openPriceFixture,
  type PriceFixture,
  priceOf,
  writeLines,
} from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'

describeEachEngine('an import of prices', (engine) => {
  test('has the same result for any order and split of its lines, and equals a day-by-day computation', async () => {
    const fixture = await openPriceFixture(engine)
    await fc.assert(
      fc.asyncProperty(
        histories,
        histories,
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        async (stored, said, seeds) => {
          await replaceHistory(fixture, stored)
          const sequence = await fixture.sequence()
          const before = await Promise.all(ids.map((id) => priceOf(fixture, id)))
          const { texts, wanted } = scatter(said, stored, seeds)
          const summary = await fixture.run(texts)
          expect(summary.rejected).toBe(0)
          for (const id of ids) expect([id, await linesOf(fixture, id)]).toEqual([id, wanted.get(id) ?? []])
          const after = await Promise.all(ids.map((id) => priceOf(fixture, id)))
          expect(after).toEqual(ids.map((id) => newestPrices(wanted.get(id))))
          const repriced = ids.filter((_, at) => String(before[at]) !== String(after[at])).length
          expect([summary.repriced, await fixture.sequence()]).toEqual([repriced, sequence + repriced])
          expect(await fixture.run(texts.toReversed())).toMatchObject({ added: 0, changed: 0, repriced: 0 })
          expect(await fixture.sequence()).toBe(sequence + repriced)
        },
      ),
      { numRuns: runs(20, 40) },
    )
  })

  test('has the same result over several commands', async () => {
    const fixture = await openPriceFixture(engine)
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(fc.nat(), { minLength: 30, maxLength: 30 }),
        async (said, seeds) => {
          await replaceHistory(fixture, [])
          const { texts, wanted } = scatter(said, [], seeds)
          for (const text of texts) await fixture.run([text])
          for (const id of ids) {
            expect([id, await linesOf(fixture, id)]).toEqual([id, wanted.get(id) ?? []])
            expect(await priceOf(fixture, id)).toEqual(newestPrices(wanted.get(id)))
          }
        },
      ),
      { numRuns: runs(8, 15) },
    )
  })
})

const ids = [1, 2, 3]
const references = ['Omega,310.30.42.50.01.001', 'lange,191032', 'Rolex,126610ln']

/** One line of input: the prices of a watch on a day; at most one line per watch and day. */
interface SaidLine {
  readonly id: number
  readonly date: string
  readonly retail: number | null
  readonly market: number | null
}

const amount = fc.option(fc.integer({ min: 1, max: 4 }))
const histories = fc.uniqueArray(
  fc
    .record({
      id: fc.constantFrom(...ids),
      day: fc.integer({ min: 1, max: 20 }),
      retail: amount,
      market: amount,
    })
    .map(({ id, day, retail, market }): SaidLine => {
      const date = `2026-02-${String(day).padStart(2, '0')}`
      return { id, date, retail, market: retail === null && market === null ? 1 : market }
    }),
  { selector: ({ id, date }) => `${id} ${date}`, maxLength: 25 },
)

async function replaceHistory(fixture: PriceFixture, lines: readonly SaidLine[]): Promise<void> {
  await fixture.database.write(async (tx) => {
    await tx.deleteFrom('prices').execute()
    await tx.updateTable('watches').set(noPrice).execute()
  })
  const whole = lines
    .toSorted(byDate)
    .map(({ id, date, retail, market }) => [id, date, retail, market, 'test'] as const)
  await writeLines(fixture, whole)
}

/** Splits the lines into files in random order; also returns the expected history, computed day by day. */
function scatter(said: readonly SaidLine[], stored: readonly SaidLine[], seeds: readonly number[]) {
  const shuffled = said
    .map((line, at) => ({ line, seed: seeds[at] ?? 0 }))
    .toSorted((one, other) => (one.seed % 97) - (other.seed % 97))
  const files = [0, 1, 2].map((file) =>
    shuffled.filter(({ seed }) => seed % 3 === file).map(({ line }) => line),
  )
  const cell = (price: number | null) => price ?? ''
  const texts = files
    .filter((lines) => lines.length > 0)
    .map((lines) => {
      const rows = lines.map(
        ({ id, date, retail, market }) => `${references[id - 1]},${cell(retail)},${date},${cell(market)}`,
      )
      return `brand,reference,msrp,date,market price\n${rows.join('\n')}\n`
    })
  const wanted = new Map(ids.map((id) => [id, expectedLines(id, said, stored)] as const))
  return { texts, wanted: new Map([...wanted].filter(([, lines]) => lines.length > 0)) }
}

/** A line has the prices given for its day; a stored one keeps those that are not given. */
function expectedLines(id: number, said: readonly SaidLine[], stored: readonly SaidLine[]) {
  const on = (lines: readonly SaidLine[], date: string) =>
    lines.find((line) => line.id === id && line.date === date)
  const own = [...stored, ...said].filter((line) => line.id === id)
  const dates = [...new Set(own.map(({ date }) => date))].sort()
  const valueOn = (date: string, field: 'retail' | 'market') =>
    on(said, date)?.[field] ?? on(stored, date)?.[field] ?? null
  return dates.map((date) => [date, valueOn(date, 'retail'), valueOn(date, 'market')] as const)
}

/** The newest price of each kind. */
function newestPrices(lines: readonly (readonly [string, number | null, number | null])[] = []) {
  return [1, 2].map((at) => lines.findLast((line) => line[at] !== null)?.[at] ?? null)
}

function byDate(one: SaidLine, other: SaidLine): number {
  return one.date < other.date ? -1 : 1
}
