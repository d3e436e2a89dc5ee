// Guarantees about past states on both engines: undoing the log backwards from the current catalogue yields every
// state that each watch has had.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readBrands } from '../../src/catalogue/brands.ts'
import { updateWatches } from '../../src/catalogue/update-watches.ts'
import { stateOfDeleted, watchBefore } from '../../src/catalogue/watch-before.ts'
import {
  createWatch,
  deleteWatches,
  readWatches,
  readWatchesForUpdate,
  stateOf,
  type WatchState,
} from '../../src/catalogue/watches.ts'
import { type Change, getHead, readAfter, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import type { Database } from '../../src/storage/database.ts'
import { setPriceWithin } from '../catalogue/catalogue-writes.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { type RandomWatch, randomWatch } from '../search/random-catalogue.ts'
import { insertBrand } from '../search/stored-catalogue.ts'

interface Step {
  readonly kind: 'create' | 'update' | 'price' | 'delete'
  /** The indexes of the watches, modulo their number. */
  readonly picks: readonly number[]
  readonly watch: RandomWatch
}

/** The state of a watch as far as the log determines it. */
interface Known extends Omit<WatchState, 'updated_at' | 'specs'> {
  readonly specs: readonly (readonly [key: string, value: unknown])[]
}

/** The state of each watch at a sequence. */
interface Moment {
  readonly sequence: number
  readonly states: ReadonlyMap<number, Known>
}

const names = ['Omega', 'OMEGA', '__proto__']
const watchesMax = 12
const changesMax = 10_000

const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('create', 'create', 'update', 'update', 'price', 'delete'),
    picks: fc.array(fc.nat(watchesMax), { minLength: 1, maxLength: 3 }),
    watch: randomWatch,
  }),
  { minLength: 5, maxLength: 25, size: 'max' },
)

describeEachEngine('the change log, undone backwards,', (engine) => {
  test('yields every state of every watch', async () => {
    const { database, clock } = await openFresh(engine)
    const brandIds = await database.write(async (tx) => {
      const ids: number[] = []
      for (const name of names)
        ids.push(await insertBrand(tx, { name, slug: name.toLowerCase() + ids.length, aliases: [] }))
      return ids
    })
    let updates = 0
    await fc.assert(
      fc.asyncProperty(steps, async (history) => {
        const start = (await getHead(database.reader)).sequence
        const ids: number[] = []
        const moments: Moment[] = []
        for (const step of history) {
          await take(database, clock, brandIds, step, ids)
          moments.push(await readMoment(database, ids))
        }
        const changes = await readAfter(database.reader, start, changesMax)
        updates += changes.filter(({ type }) => type === 'watch.updated').length
        for (const id of ids) {
          const own = changes.filter(({ subjectId }) => subjectId === id)
          const past = walkBack(await readState(database, id), own)
          for (const { sequence, states } of moments) {
            const found = past.findLast((one) => one.sequence <= sequence)?.state
            expect({ sequence, known: found && knownOf(found) }).toEqual({ sequence, known: states.get(id) })
          }
        }
      }),
      { numRuns: engine.name === 'sqlite' ? runs(30, 60) : 25 },
    )
    expect(updates).toBeGreaterThan(50)
  })
})

/** Runs one step in a transaction; adds the id of a created watch to `ids`. */
async function take(
  database: Database,
  clock: Clock,
  brandIds: readonly number[],
  { kind, picks, watch }: Step,
  ids: number[],
): Promise<void> {
  const { brand, step: _, specs, updated_at: __, ...rest } = watch
  // PostgreSQL cannot store NUL in texts.
  const fields = { ...rest, collection: rest.collection.replaceAll('\0', '') }
  const draft = { ...fields, brand_id: brandIds[brand % brandIds.length] as number }
  const picked = [...new Set(picks.map((pick) => ids[pick % ids.length] ?? 0))]
  await recordChanges(database, clock, async (tx, record) => {
    if (kind === 'create' || ids.length === 0) {
      const price = { date: '2026-03-01', source: 'test' }
      ids.push(await createWatch(tx, clock, record, { ...draft, specs: JSON.parse(specs) }, price))
    } else if (kind === 'delete') await deleteWatches(tx, record, picked.slice(0, 1))
    else if (kind === 'price') {
      for (const watchId of picked) await setPriceWithin({ tx, record, database, clock }, watchId, draft)
    } else {
      const rows = await readWatchesForUpdate(tx, picked)
      const brandName = (id: number) => names[brandIds.indexOf(id)] as string
      await updateWatches(
        { tx, engine: database.engine, clock, record, brandName, source: 'test' },
        rows.map((row) => ({ row, next: { ...draft, specs } })),
      )
    }
  })
}

async function readMoment(database: Database, ids: readonly number[]): Promise<Moment> {
  const { sequence } = await getHead(database.reader)
  const states = await Promise.all(ids.map((id) => readState(database, id)))
  const known = states
    .filter((state) => state !== undefined)
    .map((state) => [state.id, knownOf(state)] as const)
  return { sequence, states: new Map(known) }
}

async function readState({ reader }: Database, id: number): Promise<WatchState | undefined> {
  const [row] = await readWatches(reader, [id])
  const brand = (await readBrands(reader)).find((one) => one.id === row?.brand_id)
  return row && stateOf(row, brand?.name ?? '')
}

/** The state of the watch after each of its changes, oldest first. Before the first change it did not exist. */
function walkBack(now: WatchState | undefined, changes: readonly Change[]) {
  let state = now
  const past: { sequence: number; state: WatchState | undefined }[] = []
  for (const change of changes.toReversed()) {
    past.unshift({ sequence: change.sequence, state })
    state = change.type === 'watch.deleted' ? stateOfDeleted(change) : state && watchBefore(state, change)
  }
  expect(state).toBeUndefined()
  return past
}

/**
 * Specs as pairs, because the log does not record the order, and without nulls, which equal absent keys in the log.
 */
function knownOf({ updated_at: _, specs, ...fields }: WatchState): Known {
  const pairs = Object.entries(specs).filter(([, value]) => value !== null)
  return { ...fields, specs: pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)) }
}
