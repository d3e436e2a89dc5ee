// Checks the invariants of the catalogue and its change log after any kill: no acknowledged write is missing, no write
// is incomplete, and the log has no gap. Each finding is a sentence; an empty list means success.
import type { Price } from '../../src/catalogue/prices.ts'
import type { Change } from '../../src/changes/log.ts'
import type { CatalogueState } from './catalogue-state.ts'
import type { Said, Write } from './write-loop.ts'

/** Finds acknowledged writes that are missing, and changes that no writer made. */
export function findLost(state: CatalogueState, said: readonly Said[]): string[] {
  const logged = new Set(state.changes.map(changeKey))
  const tried = new Set(said.map(({ write }) => writeKey(write)))
  const lost = said.filter(({ did, write }) => did === 'done' && !logged.has(writeKey(write)))
  const unasked = state.changes.filter(
    (change) => /deleted|price_changed/.test(change.type) && !tried.has(changeKey(change)),
  )
  const firstPrices = readFirstPrices(state)
  const mispriced = said.filter(
    ({ write }) => write.kind === 'create' && (firstPrices.get(write.watchId) ?? write.price) !== write.price,
  )
  return [
    ...lost.map(({ write }) => `acknowledged, but not in the log: ${JSON.stringify(write)}`),
    ...mispriced.map(({ write }) => `acknowledged, but with another price: ${JSON.stringify(write)}`),
    ...unasked.map((change) => `in the log, but made by no writer: ${JSON.stringify(change)}`),
  ]
}

/** The initial price of each watch; unknown for a watch deleted at that price. */
function readFirstPrices({ watches, changes }: CatalogueState): Map<number, number | null> {
  const prices = new Map(watches.map((watch) => [watch.id, watch.retail_price_usd]))
  for (const { type, subjectId, data } of changes.toReversed()) {
    if (type === 'watch.price_changed') prices.set(subjectId, (data as { old: Price }).old.retail_price_usd)
  }
  return prices
}

/** Finds rows that disagree with the log. The log alone determines which watches exist and their prices. */
export function findHalfWritten(state: CatalogueState): string[] {
  const { live, brandIds, findings } = replay(state.changes)
  const pricesNow = new Map(state.prices.map((line) => [line.watch_id, line]))
  const watchIds = new Set(state.watches.map(({ id }) => id))
  for (const watch of state.watches) {
    const { id } = watch
    if (!live.has(id)) findings.push(`watch ${id} exists, but not according to the log`)
    const price = live.get(id)
    if (price && !isSame(price, watch)) findings.push(`watch ${id} has another price than the log`)
    const line = pricesNow.get(id)
    if (!line || !isSame(line, watch)) findings.push(`watch ${id} has another price than its history`)
  }
  for (const id of live.keys()) if (!watchIds.has(id)) findings.push(`watch ${id} is in the log only`)
  for (const id of pricesNow.keys()) if (!watchIds.has(id)) findings.push(`prices without a watch ${id}`)
  for (const id of brandIds.symmetricDifference(new Set(state.brandIds))) {
    findings.push(`brand ${id} is in the table or in the log, not in both`)
  }
  return findings
}

/** Checks that the log's sequence is 1, 2, 3 … up to the stored counter. */
export function findGaps(state: CatalogueState): string[] {
  const { changes, sequence } = state
  const gaps = changes.filter((change, index) => change.sequence !== (changes[index - 1]?.sequence ?? 0) + 1)
  const last = changes.at(-1)?.sequence ?? 0
  return [
    ...gaps.map((change) => `the change before ${change.sequence} is missing`),
    ...(last === sequence ? [] : [`the log ends at ${last}, its counter is at ${sequence}`]),
  ]
}

/** The longest time from acknowledging a write to reading its change. A change read earlier counts as 0. */
export function longestDelayMs(
  { changes }: CatalogueState,
  said: readonly Said[],
  seenAtMs: ReadonlyMap<number, number>,
): number {
  const done = said.filter(({ did }) => did === 'done')
  const doneAtMs = new Map(done.map(({ write, atMs }) => [writeKey(write), atMs]))
  return changes.reduce((longest, change) => {
    const delay = (seenAtMs.get(change.sequence) ?? 0) - (doneAtMs.get(changeKey(change)) ?? 0)
    return Math.max(longest, delay)
  }, 0)
}

/** Replays the log: the watches that should exist, with the price of each whose price has changed. */
function replay(changes: readonly Change[]) {
  const live = new Map<number, Price | undefined>()
  const known = new Set<number>()
  const brandIds = new Set<number>()
  const findings: string[] = []
  for (const { type, subjectId: id, data } of changes) {
    if (type === 'brand.created') brandIds.add(id)
    else if (type === 'brand.deleted') brandIds.delete(id)
    else if (type === 'watch.created') {
      if (known.has(id)) findings.push(`watch ${id} was created twice`)
      known.add(id)
      live.set(id, undefined)
    } else {
      if (!live.has(id)) findings.push(`${type} of watch ${id}, which does not exist at that time`)
      if (type === 'watch.deleted') live.delete(id)
      else {
        const { old, new: next } = data as { old: Price; new: Price }
        const price = live.get(id)
        if (price && !isSame(price, old)) findings.push(`watch ${id} changed from a price it did not have`)
        live.set(id, next)
      }
    }
  }
  return { live, brandIds, findings }
}

function isSame(one: Price, other: Price): boolean {
  return (
    one.retail_price_usd === other.retail_price_usd && one.current_market_price === other.current_market_price
  )
}

function writeKey(write: Write): string {
  if (write.kind === 'brand') return `brand.created ${write.brandId}`
  if (write.kind === 'create') return `watch.created ${write.watchId}`
  if (write.kind === 'delete') return `watch.deleted ${write.watchId}`
  return `watch.price_changed ${write.watchId} ${write.price}`
}

function changeKey({ type, subjectId, data }: Change): string {
  if (type !== 'watch.price_changed') return `${type} ${subjectId}`
  return `${type} ${subjectId} ${(data as { new: Price }).new.retail_price_usd}`
}
