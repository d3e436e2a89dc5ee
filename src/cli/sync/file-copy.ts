// Keeps a copy in a file with one watch per line, ordered by id, and its cursor in a small file beside it. The data is
// always written before the cursor: after a crash, some changes are applied a second time and none is missed.
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { Watch } from '../../../sdk/src/index.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { writeOutput } from '../../files/output/write-output.ts'
import { type ChangedWatches, type Copy, type CopyState, noChanges, type Tally } from './copy.ts'
import { type ChangedLine, mergeLines } from './merge-lines.ts'
import { readLines } from './read-lines.ts'

/** To apply changes, the whole file is written anew: so many at once. */
const batchMax = 10_000
const readBytes = 262_144
const writeChars = 262_144
const cursorFileMaxBytes = 16_384

interface FileParts {
  readonly clock: Clock
  readonly signal: AbortSignal
}

export async function openFileCopy(file: string, parts: FileParts): Promise<Copy> {
  const data = await stat(file).catch(() => undefined)
  if (data === undefined) return new FileCopy(file, parts, undefined)
  if (!data.isFile()) throw new Failure(`${file} is not a file: write the copy to another place.`)
  return new FileCopy(file, parts, await readState(file))
}

async function readState(file: string): Promise<CopyState> {
  const beside = cursorFileOf(file)
  const found = await stat(beside).catch(() => undefined)
  if (found === undefined) {
    throw new Failure(
      `${file} is not a copy of this command, as it has no ${beside}: move it away, or choose another file.`,
    )
  }
  const text = found.size > cursorFileMaxBytes ? '' : await readFile(beside, 'utf8')
  const state = parseState(text)
  if (state !== undefined) return state
  throw new Failure(`${beside} has no cursor: remove it and ${file} to begin again.`)
}

function parseState(text: string): CopyState | undefined {
  try {
    const { url, cursor } = JSON.parse(text)
    return typeof url === 'string' && typeof cursor === 'string' ? { url, cursor } : undefined
  } catch {
    return undefined
  }
}

function cursorFileOf(file: string): string {
  return `${file}.cursor`
}

class FileCopy implements Copy {
  readonly batchMax = batchMax
  state: CopyState | undefined
  readonly #file: string
  readonly #parts: FileParts

  constructor(file: string, parts: FileParts, state: CopyState | undefined) {
    this.#file = file
    this.#parts = parts
    this.state = state
  }

  async replace(watches: AsyncIterable<Watch>, state: CopyState): Promise<void> {
    const isFirst = this.state === undefined
    async function* lines() {
      for await (const watch of watches) yield JSON.stringify(watch)
      // A file without a cursor would be refused as not ours; a cursor without a file counts for nothing.
      if (isFirst) await writeCursor()
    }
    const writeCursor = () => this.#writeState(state)
    await writeOutput(this.#file, undefined, inChunks(lines(), this.#parts.signal))
    if (!isFirst) await writeCursor()
    this.state = state
  }

  async apply(changes: ChangedWatches, state: CopyState): Promise<Tally> {
    const tally = noChanges()
    if (changes.size > 0) {
      const merged = mergeLines(this.#lines(), this.#changedLines(changes), tally, this.#file)
      // Not to be interrupted: it takes seconds at most, and these changes are paid for.
      await writeOutput(this.#file, undefined, inChunks(merged))
    }
    await this.#writeState(state)
    this.state = state
    return tally
  }

  async count(): Promise<number> {
    let count = 0
    for await (const lines of this.#lines()) count += lines.length
    return count
  }

  close(): void {}

  #lines(): AsyncIterable<readonly string[]> {
    return readLines(createReadStream(this.#file, { highWaterMark: readBytes }), this.#file)
  }

  #changedLines(changes: ChangedWatches): ChangedLine[] {
    return [...changes]
      .map(([id, watch]) => ({ id, line: watch && JSON.stringify(watch) }))
      .sort((a, b) => a.id - b.id)
  }

  async #writeState({ url, cursor }: CopyState): Promise<void> {
    const at = this.#parts.clock.now().toISOString()
    await writeOutput(cursorFileOf(this.#file), undefined, inChunks([JSON.stringify({ url, cursor, at })]))
  }
}

async function* inChunks(
  lines: AsyncIterable<string> | Iterable<string>,
  signal?: AbortSignal,
): AsyncGenerator<string, void> {
  let chunk = ''
  for await (const line of lines) {
    signal?.throwIfAborted()
    chunk += `${line}\n`
    if (chunk.length < writeChars) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}
