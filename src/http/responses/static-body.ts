// A body that is the same for everyone: made and compressed once, and sent from the same memory in every response. A copy
// for each request would take as much memory as there are clients that read slowly.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { compressMinBytes, compressWell } from './compress.ts'
import { type Coding, chooseEncoding, type Encoding } from './encoding.ts'

export class StaticBody {
  readonly plain: Buffer
  readonly #compressed = new Map<Coding, Promise<Buffer>>()

  constructor(text: string) {
    this.plain = Buffer.from(text)
  }

  async in(encoding: Encoding): Promise<Buffer> {
    if (encoding === 'identity') return this.plain
    return this.#compressed.getOrInsertComputed(encoding, () => compressWell(encoding, this.plain))
  }
}

/** Sends the body in the encoding that the client prefers. */
export async function sendStatic(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  body: StaticBody,
): Promise<FastifyReply> {
  const encoding =
    body.plain.length < compressMinBytes ? 'identity' : chooseEncoding(headers['accept-encoding'])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(await body.in(encoding))
}
