// Parses and formats the cursor of the change log: `1f0c2a9b-1234-8d3f0a61c2e4` is the epoch of the database, shortened,
// the sequence of the last change read, and the id of its commit, by which a change that the database has lost is
// recognised. For callers a cursor is opaque, but a bare sequence is accepted too.

import type { Head, LogMarks } from '../../changes/log.ts'
import { invalid } from '../../errors.ts'

export interface Place {
  /** The shortened epoch of the database. */
  readonly life: string
  readonly sequence: number
  /** Empty where it is not known. */
  readonly commitId: string
}

/** The parsed `since` parameter. `life` is undefined where only a sequence is given. */
export type Since = 'now' | (Omit<Place, 'life'> & { readonly life: string | undefined })

/** Reads from the database how far the log goes, and what it has at a sequence. */
export interface LogLookup {
  readonly readHead: () => Promise<Head>
  readonly readMarks: (sequence: number) => Promise<LogMarks>
}

/** Enough characters of the epoch to distinguish one epoch of a database from another. */
const lifeLength = 8
const shape = /^(?:([\da-f]{8})-)?(0|[1-9]\d{0,14})(?:(?<=-\d+)-([\da-f]{12}))?$/

export function cursorText({ life, sequence, commitId }: Place): string {
  return commitId === '' ? `${life}-${sequence}` : `${life}-${sequence}-${commitId}`
}

export function placeOf({ epoch, sequence, commitId }: Head): Place {
  return { life: epoch.slice(0, lifeLength), sequence, commitId }
}

/** Undefined where the text is not a cursor. */
export function parseCursor(raw: string): Since | undefined {
  if (raw === 'now') return 'now'
  const [isCursor, life, sequence, commitId = ''] = shape.exec(raw) ?? []
  return isCursor === undefined ? undefined : { life, sequence: Number(sequence), commitId }
}

/**
 * Resolves `since` to a position in the log. `head` is how far this process has read: the process that issued the
 * cursor may have been ahead of this one, but never beyond the log.
 */
export async function getPlace(since: Since | undefined, head: Head, log: LogLookup): Promise<Place> {
  const current = placeOf(head)
  if (since === undefined) return { ...current, sequence: 0, commitId: '' }
  if (since === 'now') return current
  const { life = current.life, sequence, commitId } = since
  const place = { life, sequence, commitId }
  if (life !== current.life || sequence > head.sequence) await checkEnd(place, log)
  const isCurrent = sequence === head.sequence && commitId === head.commitId
  if (commitId !== '' && !isCurrent) checkMarks(place, await log.readMarks(sequence))
  return place
}

async function checkEnd({ life, sequence }: Place, { readHead }: LogLookup): Promise<void> {
  const head = await readHead()
  if (life !== placeOf(head).life) {
    throw invalid('since', 'The since is of another life of the database, which was restored: export anew.')
  }
  if (sequence > head.sequence) throw invalid('since', 'The since is beyond the end of the change log.')
}

/** A change that is no longer in the log at all is not refused here: the cursor may stand just before its first one. */
export function checkMarks({ sequence, commitId }: Place, { commitIds }: LogMarks): void {
  const found = commitIds.get(sequence)
  if (commitId === '' || found === undefined || found === commitId) return
  throw invalid('since', 'The since is of a change that the database lost in a failover: export anew.')
}
