// Builds the texts of `watchdata sync`.
import { grouped, visible, watchCount } from '../catalogue-texts.ts'
import type { Tally } from './copy.ts'

export const currentText = 'The copy is current. Waiting for changes; Ctrl-C ends.'

export function restartText(api: string): string {
  return `${api} no longer has the changes since the cursor of this copy: exporting the catalogue anew.`
}

/** `3 added, 12 changed, 1 deleted, as of change 5,678.` */
export function batchText(tally: Tally, cursor: string): string {
  return `${tallyText(tally)}, as of ${placeText(cursor)}.`
}

/** `watches.ndjson has 1,234 watches, as of change 5,678. 3 added, 12 changed, 1 deleted.` */
export function closingText(
  file: string,
  watches: number,
  { cursor, exported, tally }: { cursor: string; exported: number | undefined; tally: Tally },
): string {
  const told =
    exported === undefined ? tallyText(tally) : `${grouped(exported)} exported, then ${tallyText(tally)}`
  return `${visible(file)} has ${watchCount(watches)}, as of ${placeText(cursor)}. ${told}.`
}

/** For people only: a program must not rely on the parts of a cursor. */
export function findSequence(cursor: string): number | undefined {
  const [, sequence] = /^(?:[0-9a-f]+-)?(\d{1,15})(?:-[0-9a-f]+)?$/.exec(cursor) ?? []
  return sequence === undefined ? undefined : Number(sequence)
}

function placeText(cursor: string): string {
  const sequence = findSequence(cursor)
  return sequence === undefined ? `cursor ${visible(cursor)}` : `change ${grouped(sequence)}`
}

function tallyText({ added, changed, deleted }: Tally): string {
  return `${grouped(added)} added, ${grouped(changed)} changed, ${grouped(deleted)} deleted`
}
