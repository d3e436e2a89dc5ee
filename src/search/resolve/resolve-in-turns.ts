// Resolves a list of titles in turns with other requests, one title at a time, so that a hundred of them hold nobody
// up. What was resolved stays, also if the catalogue changes before the last one.
import { finish } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { selectIn } from '../results/find-matches.ts'
import { type Candidate, type Resolution, resolveTitle, type Title } from './resolve.ts'

/** What one title takes at most. */
const titleMs = 1

export class TitleResolver {
  readonly #titles: readonly Title[]
  /** The resolved titles as JSON, in the order of the titles. */
  readonly #resolved: string[] = []

  constructor(titles: readonly Title[]) {
    this.#titles = titles
  }

  /** Resolves what is left, in the caller's turns. Undefined if nothing is. */
  takeTurns(index: WatchIndex, caller: string): Promise<void> | undefined {
    if (this.#isDone) return undefined
    const next = () => {
      if (this.#isDone || index.isReplaced) return undefined
      return { costMs: titleMs, run: () => this.#resolveNext(index) }
    }
    return index.turns.take(caller, { next, version: () => index.version })
  }

  /** Resolves what is left at once. */
  json(index: WatchIndex): string {
    while (!this.#isDone) finish(this.#resolveNext(index))
    return `{"data":[${this.#resolved.join(',')}]}`
  }

  get #isDone(): boolean {
    return this.#resolved.length === this.#titles.length
  }

  *#resolveNext(index: WatchIndex): Generator<void, void> {
    const title = this.#titles[this.#resolved.length] as Title
    index.resultCache.freeSlots()
    this.#resolved.push(jsonOf(index, title, resolveTitle(index, selectIn(index), title)))
    yield
  }
}

function jsonOf(index: WatchIndex, { text }: Title, { match, candidates, read }: Resolution): string {
  const shown = candidates.map((candidate) => candidateJson(index, candidate))
  return `{"text":${JSON.stringify(text)},"match":"${match}","candidates":[${shown.join(',')}],"read":${JSON.stringify(read)}}`
}

/** The watch as it is served: not parsed to be written again. */
function candidateJson(index: WatchIndex, { ordinal, confidence, reasons }: Candidate): string {
  const watch = index.rows.get(ordinal).toString()
  return `{"watch":${watch},"confidence":${confidence},"reasons":${JSON.stringify(reasons)}}`
}
