// In charge of where a reader of the change log stands, as callers are told it: `1f0c2a9b-1234`, the life of the database
// and the sequence of the last change read. To callers it is one text without a meaning, though a bare sequence will do.
import type { Head } from '../../changes/log.ts'
import { Problem } from '../../errors.ts'

export interface Place {
  /** As far as a cursor has it: see `lifeOf`. */
  readonly life: string
  readonly sequence: number
}

/** What `since` can be: `life` is undefined where only a sequence is given. */
export type Since = 'now' | { readonly life: string | undefined; readonly sequence: number }

/** Enough of the epoch to tell one life of a database from another. */
const lifeLength = 8
const shape = /^(?:([\da-f]{8})-)?(0|[1-9]\d{0,14})$/

export function cursorText({ life, sequence }: Place): string {
  return `${life}-${sequence}`
}

export function placeOf({ epoch, sequence }: Head): Place {
  return { life: lifeOf(epoch), sequence }
}

/** Undefined where it is none. */
export function parseCursor(written: string): Since | undefined {
  if (written === 'now') return 'now'
  const [isCursor, life, sequence] = shape.exec(written) ?? []
  return isCursor === undefined ? undefined : { life, sequence: Number(sequence) }
}

/**
 * The place in the log that is meant. `head` is how far this process has come, `readHead` how far the log has: another
 * process may have been further when it gave the cursor, but none further than the log.
 */
export async function getPlace(
  since: Since | undefined,
  head: Head,
  readHead: () => Promise<Head>,
): Promise<Place> {
  if (since === undefined) return { life: lifeOf(head.epoch), sequence: 0 }
  if (since === 'now') return placeOf(head)
  const { life = lifeOf(head.epoch), sequence } = since
  if (life === lifeOf(head.epoch) && sequence <= head.sequence) return { life, sequence }
  const log = await readHead()
  if (life !== lifeOf(log.epoch)) {
    throw invalid('The since is of another life of the database, which was restored: export anew.')
  }
  if (sequence > log.sequence) throw invalid('The since is beyond the end of the change log.')
  return { life, sequence }
}

function lifeOf(epoch: string): string {
  return epoch.slice(0, lifeLength)
}

function invalid(text: string): Problem {
  return new Problem('invalid', { errors: { since: [text] } })
}
