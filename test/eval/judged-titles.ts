// Reads the labelled titles: what dealers write, and the watches of the sample that each may mean.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'

export interface JudgedTitle {
  readonly text: string
  /** The text as it was written, with its reference: what is taken out of it stays in the same half. */
  readonly source: string
  readonly brand?: string | undefined
  readonly price?: number | undefined
  /** `Brand/reference`: one is the watch; several fit, so none may be claimed; none is in the sample. */
  readonly answers: readonly string[]
  readonly isPrinted: boolean
  readonly kind: string
  readonly read: Readonly<Record<string, unknown>> | undefined
}

interface Line {
  readonly text: string
  readonly brand?: string
  readonly price?: number
  readonly answer: string | readonly string[] | null
  readonly printed: string | null
  readonly kind: string
  readonly read?: Readonly<Record<string, unknown>>
}

export async function readJudgedTitles(): Promise<JudgedTitle[]> {
  const text = await readFile(path.join(import.meta.dirname, 'titles.ndjson'), 'utf8')
  return text
    .trim()
    .split('\n')
    .flatMap((line) => judged(JSON.parse(line) as Line))
}

/** A title that prints its reference is judged once more without it. */
function judged({ text, brand, price, answer, printed, kind, read }: Line): JudgedTitle[] {
  const answers = answer === null ? [] : [answer].flat()
  const whole: JudgedTitle = {
    text,
    source: text,
    brand,
    price,
    answers,
    isPrinted: printed !== null,
    kind,
    read,
  }
  const isMaskable = printed !== null && answers.length < 2 && text.includes(printed)
  if (!isMaskable) return [whole]
  const masked = text.replaceAll(printed, ' ').replace(/\bref(?:erence|\.)? {2,}/gi, ' ')
  return [
    whole,
    {
      text: masked,
      source: text,
      brand,
      price,
      answers,
      isPrinted: false,
      kind: 'taken out',
      read: undefined,
    },
  ]
}

/** Half of the titles, by a hash: a title that is added does not move others. */
export function isHeldBack(text: string): boolean {
  return ((createHash('sha256').update(text).digest()[0] as number) & 1) === 1
}
