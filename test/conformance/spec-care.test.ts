// Guarantees about renaming spec keys and merging spec values on both engines: the result equals a naive
// implementation, every changed watch has a log entry, and an interrupted run is completed by running it again.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeValues, type ValueMerge } from '../../src/catalogue/edit/merge-values.ts'
import { renameSpec, type SpecRename } from '../../src/catalogue/edit/rename-spec.ts'
import { Failure } from '../../src/errors.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { commonValues, hostileKeys, tameKeys } from '../search/hostile-values.ts'
import { vocabulary } from '../search/stored-catalogue.ts'
import { careParts, changedIds, changesSince, dump, dyingAfter, storeWatches } from './care-catalogue.ts'

type Pair = [key: string, value: unknown]

const runs = { numRuns: 40 }
/** Slightly more than three steps. */
const many = 3_100

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...tameKeys.slice(0, 3)) },
  { weight: 1, arbitrary: fc.constantFrom(...hostileKeys) },
)
const scalar = fc.constantFrom(
  'Black',
  'black',
  ' BLACK\t',
  'Blakc',
  42,
  '42',
  '42.0',
  true,
  'true',
  ...commonValues,
)
const value: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  {
    weight: 2,
    arbitrary: fc.array(fc.oneof(scalar, fc.array(scalar, { maxLength: 3 }), fc.constant(null)), {
      maxLength: 4,
    }),
  },
  { weight: 1, arbitrary: fc.constantFrom<unknown>(null, {}, { a: 'Black' }) },
)
const document = fc.uniqueArray(fc.tuple(key, value), { selector: ([one]) => one, maxLength: 5 })
const documents = fc.array(document, { maxLength: 30 })
const textOf = (pairs: readonly Pair[]) =>
  `{${pairs.map((pair) => pair.map((part) => JSON.stringify(part)).join(':')).join(',')}}`

async function store(database: Database, all: readonly (readonly Pair[])[]): Promise<void> {
  await storeWatches(
    database,
    all.map((pairs) => ({ brand: 'Omega', specs: textOf(pairs) })),
  )
}

/** Makes a dry run and a real run, and checks what must always hold. */
async function check(
  database: Database,
  expected: readonly string[],
  work: (database: Database, isDryRun: boolean) => Promise<number>,
): Promise<void> {
  const before = await dump(database)
  const foretold = await work(database, true)
  expect(await dump(database)).toEqual(before)
  const told = await work(database, false)
  const after = await dump(database)
  expect(after.watches.map(({ specs }) => specs)).toEqual(expected)
  const ids = changedIds(before, after)
  expect([foretold, told]).toEqual([ids.length, ids.length])
  const changes = await changesSince(database, before)
  expect(changes.map(({ type, subjectId }) => [type, subjectId])).toEqual(
    ids.map((id) => ['watch.updated', id]),
  )
  for (const { subjectId, data } of changes) {
    const specsIn = (state: typeof before) => state.watches.find(({ id }) => id === subjectId)?.specs ?? ''
    expect(data).toEqual({ changes: naiveChanges(specsIn(before), specsIn(after)) })
  }
  expect(await work(database, false)).toBe(0)
  expect(await dump(database)).toEqual(after)
}

function naiveChanges(before: string, after: string): object {
  const [old, now] = [before, after].map((text) => new Map<string, unknown>(Object.entries(JSON.parse(text))))
  const changes: [string, object][] = []
  for (const one of new Set([...(old?.keys() ?? []), ...(now?.keys() ?? [])])) {
    const pair = { old: old?.get(one) ?? null, new: now?.get(one) ?? null }
    const isSame = old?.has(one) === now?.has(one) && JSON.stringify(pair.old) === JSON.stringify(pair.new)
    if (!isSame) changes.push([`specs.${one}`, pair])
  }
  return Object.fromEntries(changes)
}

function naiveRename(pairs: readonly Pair[], { from, to, kept }: SpecRename): Pair[] {
  const has = (wanted: string) => pairs.some(([one]) => one === wanted)
  if (!has(from)) return [...pairs]
  const dropped = !has(to) ? undefined : kept === 'old' ? to : from
  const renamed = pairs
    .filter(([one]) => one !== dropped)
    .map(([one, held]): Pair => [one === from ? to : one, held])
  // Keys that look like numbers come first, as in JavaScript objects.
  const isIndex = ([one]: Pair) => /^(0|[1-9]\d*)$/.test(one)
  const indexes = renamed.filter(isIndex).sort(([one], [other]) => Number(one) - Number(other))
  return [...indexes, ...renamed.filter((pair) => !isIndex(pair))]
}

function naiveMerge(held: unknown, { key, from, into }: ValueMerge): unknown {
  const isScalar = (one: unknown) => ['string', 'number', 'boolean'].includes(typeof one)
  const exact = (one: unknown) => vocabulary.read(key, one as string).exact
  const isMeant = (one: unknown) =>
    isScalar(one) && one !== into && from.some((other) => exact(other) === exact(one))
  const merge = (one: unknown): unknown => {
    if (isMeant(one)) return into
    if (!Array.isArray(one)) return one
    const inner = one.map((element) => (Array.isArray(element) ? merge(element) : element))
    if (!inner.some(isMeant)) return inner
    const merged: unknown[] = []
    for (const element of inner) {
      const isInto = isMeant(element) || (isScalar(element) && exact(element) === exact(into))
      if (!isInto) merged.push(element)
      else if (!merged.some((other) => other === into)) merged.push(into)
    }
    return merged
  }
  return merge(held)
}

describeEachEngine('spec keys', (engine) => {
  test('are renamed in every watch, in place, and nothing else changes', async () => {
    const { database, clock } = await openFresh(engine)
    await fc.assert(
      fc.asyncProperty(
        documents,
        key,
        key,
        fc.constantFrom('old' as const, 'new' as const),
        async (all, from, to, kept) => {
          fc.pre(from !== to && !/\p{Cc}/u.test(to))
          const rename = { from, to, kept }
          await store(database, all)
          const expected = all.map((pairs) => textOf(naiveRename(pairs, rename)))
          await check(database, expected, async (one, isDryRun) => {
            const { watches } = await renameSpec(careParts(one, clock, isDryRun), rename)
            return watches
          })
        },
      ),
      runs,
    )
  })

  test('that look like numbers come first, as after an export and import', async () => {
    const { database, clock } = await openFresh(engine)
    await store(database, [
      [
        ['b', 1],
        ['__proto__', 2],
        ['a', 3],
      ],
    ])
    await renameSpec(careParts(database, clock), { from: 'a', to: '7', kept: undefined })
    expect((await dump(database)).watches.map(({ specs }) => specs)).toEqual(['{"7":3,"b":1,"__proto__":2}'])
  })

  test('that a watch has both of are rejected, with a count, until it is given which value stays', async () => {
    const { database, clock } = await openFresh(engine)
    await store(database, [
      [['a', 1]],
      [
        ['a', 1],
        ['b', 2],
      ],
      [
        ['b', 2],
        ['a', null],
      ],
      [['b', 2]],
    ])
    const before = await dump(database)
    const renaming = renameSpec(careParts(database, clock), { from: 'a', to: 'b', kept: undefined })
    await expect(renaming).rejects.toThrow('2 watches have both a and b: say --keep old or --keep new')
    expect(await dump(database)).toEqual(before)
    const result = await renameSpec(careParts(database, clock), { from: 'a', to: 'b', kept: 'new' })
    expect(result).toEqual({ watches: 3, withBoth: 2 })
    const after = await dump(database)
    expect(after.watches.map(({ specs }) => specs)).toEqual(['{"b":1}', '{"b":2}', '{"b":2}', '{"b":2}'])
  })

  test.each(['', 'x'.repeat(129), 'a\u0000', 'a\nb'])('cannot become %j', async (to) => {
    const { database, clock } = await openFresh(engine)
    const renaming = renameSpec(careParts(database, clock), { from: 'a', to, kept: undefined })
    await expect(renaming).rejects.toThrow(Failure)
  })

  test.each([1, 2, 3])(
    'are all renamed by a second run after the first was killed after %i steps',
    async (steps) => {
      const { database, clock } = await openFresh(engine)
      await store(
        database,
        Array.from({ length: many }, (_, at): Pair[] => [['dail_color', at]]),
      )
      const before = await dump(database)
      const rename = { from: 'dail_color', to: 'dial_color', kept: undefined }
      const killed = renameSpec(careParts(dyingAfter(database, steps), clock), rename)
      await expect(killed).rejects.toThrow('killed')
      expect(changedIds(before, await dump(database))).toHaveLength(steps * 1_000)
      expect(await renameSpec(careParts(database, clock), rename)).toEqual({
        watches: many - steps * 1_000,
        withBoth: 0,
      })
      const after = await dump(database)
      expect(after.watches.map(({ specs }) => specs)).toEqual(
        Array.from({ length: many }, (_, at) => `{"dial_color":${at}}`),
      )
      // Each watch is logged exactly once.
      const told = (await changesSince(database, before)).map(({ subjectId }) => subjectId)
      expect(told.toSorted((one, other) => one - other)).toEqual(after.watches.map(({ id }) => id))
    },
  )
})

describeEachEngine('spec values', (engine) => {
  test('are merged in every watch and every list, once in each, and nowhere else', async () => {
    const { database, clock } = await openFresh(engine)
    const froms = fc.array(scalar, { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(documents, key, froms, scalar, async (all, merged, from, into) => {
        const merge = { key: merged, from, into }
        await store(database, all)
        const expected = all.map((pairs) =>
          textOf(pairs.map(([one, held]) => [one, one === merged ? naiveMerge(held, merge) : held])),
        )
        await check(database, expected, (one, isDryRun) =>
          mergeValues(careParts(one, clock, isDryRun), merge),
        )
      }),
      runs,
    )
  })

  test('that were merged match no exact filter any more; all others still do', async () => {
    const { database, clock } = await openFresh(engine)
    await store(database, [
      [['dial_color', 'blk']],
      [['dial_color', ['White', ' BLK ', 'Black']]],
      [['dial_color', 'Black']],
      [['strap_color', 'blk']],
      [['dial_color', 'blk dial']],
    ])
    await mergeValues(careParts(database, clock), { key: 'dial_color', from: ['Blk'], into: 'Black' })
    expect((await dump(database)).watches.map(({ specs }) => specs)).toEqual([
      '{"dial_color":"Black"}',
      '{"dial_color":["White","Black"]}',
      '{"dial_color":"Black"}',
      '{"strap_color":"blk"}',
      '{"dial_color":"blk dial"}',
    ])
  })

  test('are all merged by a second run after the first was killed', async () => {
    const { database, clock } = await openFresh(engine)
    await store(
      database,
      Array.from({ length: many }, (_, at): Pair[] => [['color', at % 2 ? 'Black' : 'black']]),
    )
    const before = await dump(database)
    const merge = { key: 'color', from: ['black'], into: 'Black' }
    await expect(mergeValues(careParts(dyingAfter(database, 2), clock), merge)).rejects.toThrow('killed')
    expect(await mergeValues(careParts(database, clock), merge)).toBe(many / 2 - 1_000)
    const after = await dump(database)
    expect(new Set(after.watches.map(({ specs }) => specs))).toEqual(new Set(['{"color":"Black"}']))
    expect(await changesSince(database, before)).toHaveLength(many / 2)
  })

  test('are left alone if the exclusive lock was lost', async () => {
    const { database, clock } = await openFresh(engine)
    await store(database, [[['color', 'black']]])
    const before = await dump(database)
    const lost = { ...careParts(database, clock), signal: AbortSignal.abort() }
    await expect(mergeValues(lost, { key: 'color', from: ['black'], into: 'Black' })).rejects.toThrow(Failure)
    expect(await dump(database)).toEqual(before)
  })
})
