// Regroups the bytes of a file into chunks of a useful size, and reads the first chunk ahead so that it can be
// inspected.
import { sampleBytes } from './limits.ts'

export type Chunks = Awaited<ReturnType<typeof openChunks>>

/** Reads the first chunk, `head`, ahead. Every chunk but the last has at least `sampleBytes`. */
export async function openChunks(source: AsyncIterable<Buffer>) {
  const rest = regroup(source)
  const first = await rest.next()
  const head = first.done ? Buffer.alloc(0) : first.value
  return {
    head,
    /** Whether the head is the whole file. */
    isWhole: head.length < sampleBytes,
    async *[Symbol.asyncIterator]() {
      if (head.length > 0) yield head
      yield* rest
    },
    close: async () => void (await rest.return(undefined)),
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
