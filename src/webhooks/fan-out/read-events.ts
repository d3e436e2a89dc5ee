// In charge of making events of changes: what each says, and what its watch was before and after it. The database has
// only what a watch is now; the states between are found by undoing later changes, so that an event tells of its own change
// and goes to whom it concerns, however late it is made. What the log does not keep is as it is now: the order of specs, and
// the name of a brand that was renamed.
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import { brandText, eventKind, eventMembers } from '../../catalogue/events.ts'
import {
  stateOf,
  stateOfDeleted,
  type WatchState,
  watchBefore,
  watchStateText,
} from '../../catalogue/watch-before.ts'
import { readWatches, type WatchRow, watchJson, watchText } from '../../catalogue/watches.ts'
import { type Change, readAfterOf } from '../../changes/log.ts'
import type { Reader } from '../../storage/database.ts'
import type { EventSubject } from './subscribers.ts'

export interface ReadEvent extends EventSubject {
  readonly change: Change
  /** What is sent in order. */
  readonly subject: string
  /** The members of `data` that tell of the subject. */
  readonly body: string
}

/** Subjects asked for at once. */
const idsMax = 1_000

/** Of consecutive changes of the log, as the view has it. */
export async function readEvents(view: Reader, changes: readonly Change[]): Promise<ReadEvent[]> {
  const brands = new Map((await readBrands(view)).map((row) => [row.id, row]))
  const watches = await readPastWatches(view, changes, brands)
  return changes.map((change) => {
    const kind = eventKind(change)
    const subject = `${kind}:${change.subjectId}`
    const past = watches.get(change.sequence)
    if (past !== undefined) {
      const { states, isUnknown, text } = past
      return { change, type: change.type, subject, states, isUnknown, body: eventMembers(change, text) }
    }
    const brand = brands.get(change.subjectId)
    const body = eventMembers(change, brand && brandText(brand))
    return { change, type: change.type, subject, states: [], isUnknown: false, body }
  })
}

interface PastWatch {
  /** Before and after, where there was one. */
  readonly states: readonly WatchState[]
  readonly isUnknown: boolean
  /** As it was after the change. */
  readonly text: string | undefined
}

async function readPastWatches(
  view: Reader,
  changes: readonly Change[],
  brands: ReadonlyMap<number, BrandRow>,
): Promise<Map<number, PastWatch>> {
  const ofWatches = Map.groupBy(
    changes.filter((change) => eventKind(change) === 'watch'),
    subjectOf,
  )
  const ids = [...ofWatches.keys()]
  const last = changes.at(-1)?.sequence ?? 0
  const found = new Map<number, PastWatch>()
  for (let start = 0; start < ids.length; start += idsMax) {
    const part = ids.slice(start, start + idsMax)
    const rows = new Map((await readWatches(view, part)).map((row) => [row.id, row]))
    const later = Map.groupBy(await readAfterOf(view, last, 'watch.', part), subjectOf)
    for (const id of part) {
      const row = rows.get(id)
      const known = [...(ofWatches.get(id) ?? []), ...(later.get(id) ?? [])]
      walkBack(row, brands.get(row?.brand_id ?? 0)?.name ?? '', known, found)
    }
  }
  return found
}

/** From what the watch is now through its changes, the newest first. */
function walkBack(
  row: WatchRow | undefined,
  brand: string,
  changes: readonly Change[],
  into: Map<number, PastWatch>,
): void {
  const present = row && stateOf(row, brand)
  let state = present
  for (const change of changes.toReversed()) {
    const isLost = change.type === 'watch.deleted' && stateOfDeleted(change) === undefined
    const before = stateBefore(state, change)
    const states = [state, before].filter((one) => one !== undefined)
    const text = row && state === present ? watchText(watchJson(row, brand)) : pastText(state, change)
    into.set(change.sequence, { states, isUnknown: isLost || states.length === 0, text })
    state = before
  }
}

/** The log does not know when exactly it became so: it was when the change was made. */
function pastText(state: WatchState | undefined, { at }: Change): string | undefined {
  return state && watchStateText({ ...state, updated_at: at < state.updated_at ? at : state.updated_at })
}

function stateBefore(state: WatchState | undefined, change: Change): WatchState | undefined {
  if (change.type === 'watch.deleted') return stateOfDeleted(change)
  return state && watchBefore(state, change)
}

function subjectOf({ subjectId }: Change): number {
  return subjectId
}
