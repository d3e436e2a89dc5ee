// Builds events from changes: the body of each, and the watch before and after it. The database has only the current
// watch. Earlier states are found by undoing later changes, so that an event describes its own change and goes to the
// right endpoints, however late it is built. The log does not store the order of specs and the old name of a renamed
// brand: both are the current ones.
import { type BrandRow, readBrands } from '../../catalogue/brands.ts'
import { brandText, eventKind, eventMembers } from '../../catalogue/events.ts'
import { stateOfDeleted, watchBefore, watchStateText } from '../../catalogue/watch-before.ts'
import {
  readWatches,
  stateOf,
  type WatchRow,
  type WatchState,
  watchJson,
  watchText,
} from '../../catalogue/watches.ts'
import { type Change, readAfterOfWatches } from '../../changes/log.ts'
import type { Reader } from '../../storage/database.ts'
import type { EventSubject } from './subscribers.ts'

export interface ReadEvent extends EventSubject {
  readonly change: Change
  /** The watch or brand, such as `watch:42`. Events of one subject are sent in order. */
  readonly subject: string
  /** The members of `data` that describe the subject. */
  readonly body: string
}

/** Subjects read per query. */
const idsMax = 1_000

/** Builds the events of consecutive changes of the log, which must be read from the same view. */
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
  /** The watch after and before the change, as far as it existed. */
  readonly states: readonly WatchState[]
  readonly isUnknown: boolean
  /** The JSON of the watch after the change. */
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
    const later = Map.groupBy(await readAfterOfWatches(view, last, part), subjectOf)
    for (const id of part) {
      const row = rows.get(id)
      const known = [...(ofWatches.get(id) ?? []), ...(later.get(id) ?? [])]
      walkBack(row, brands.get(row?.brand_id ?? 0)?.name ?? '', known, found)
    }
  }
  return found
}

/** Goes from the current watch back through its changes, the newest first. */
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

/** The log does not store `updated_at` of a past state: the state is no later than the time of its change. */
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
