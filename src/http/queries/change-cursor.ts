// Parses and formats the cursor of the change log: `1f0c2a9b-1234` is the epoch of the database, shortened, and the
// sequence of the last change read. For callers a cursor is opaque, but a bare sequence is accepted too.

import type { Head } from '../../changes/log.ts'
import { invalid } from '../../errors.ts'

export interface Place {
  /** The shortened epoch of the database. */
  readonly life: string
  readonly sequence: number
}

/** The parsed `since` parameter. `life` is undefined where only a sequence is given. */
export type Since = 'now' | { readonly life: string | undefined; readonly sequence: number }

/** Enough characters of the epoch to distinguish one epoch of a database from another. */
const lifeLength = 8
const shape = /^(?:([\da-f]{8})-)?(0|[1-9]\d{0,14})$/

export function cursorText({ life, sequence }: Place): string {
  return `${life}-${sequence}`
}

export function placeOf({ epoch, sequence }: Head): Place {
  return { life: epoch.slice(0, lifeLength), sequence }
}

/** Undefined where the text is not a cursor. */
export function parseCursor(raw: string): Since | undefined {
  if (raw === 'now') return 'now'
  const [isCursor, life, sequence] = shape.exec(raw) ?? []
  return isCursor === undefined ? undefined : { life, sequence: Number(sequence) }
}

/**
 * Resolves `since` to a position in the log. `head` is how far this process has read, `readHead` how far the log
 * goes: the process that issued the cursor may have been ahead of this one, but never beyond the log.
 */
export async function getPlace(
  since: Since | undefined,
  head: Head,
  readHead: () => Promise<Head>,
): Promise<Place> {
  const current = placeOf(head)
  if (since === undefined) return { ...current, sequence: 0 }
  if (since === 'now') return current
  const { life = current.life, sequence } = since
  if (life === current.life && sequence <= head.sequence) return { life, sequence }
  const log = await readHead()
  if (life !== placeOf(log).life) {
    throw invalid('since', 'The since is of another life of the database, which was restored: export anew.')
  }
  if (sequence > log.sequence) throw invalid('since', 'The since is beyond the end of the change log.')
  return { life, sequence }
}
