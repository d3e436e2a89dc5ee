// Regroups the bytes of a file into chunks of a useful size, and reads the first chunk ahead so that it can be
// inspected.
import { sampleBytes } from './limits.ts'

/** Chunks whose first one, `head`, is already read, so that the format can be detected from it. */
export class Chunks {
  readonly head: Buffer
  readonly #rest: AsyncGenerator<Buffer>

  private constructor(head: Buffer, rest: AsyncGenerator<Buffer>) {
    this.head = head
    this.#rest = rest
  }

  /** Every chunk but the last has at least `sampleBytes`. */
  static async open(source: AsyncIterable<Buffer>): Promise<Chunks> {
    const rest = regroup(source)
    const first = await rest.next()
    return new Chunks(first.done ? Buffer.alloc(0) : first.value, rest)
  }

  /** Whether the head is the whole file. */
  get isWhole(): boolean {
    return this.head.length < sampleBytes
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    if (this.head.length > 0) yield this.head
    yield* this.#rest
  }

  async close(): Promise<void> {
    await this.#rest.return(undefined)
  }
}

/** A pipe may deliver a byte at a time, and the cost per chunk is higher than the cost per byte. */
async function* regroup(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = []
  let length = 0
  for await (const chunk of source) {
    waiting.push(chunk)
    length += chunk.length
    if (length < sampleBytes) continue
    yield joined(waiting)
    waiting = []
    length = 0
  }
  if (length > 0) yield joined(waiting)
}

function joined(chunks: Buffer[]): Buffer {
  const [only] = chunks
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks)
}
