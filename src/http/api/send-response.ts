// Sends a catalogue response: compares the ETag first, makes the body only for a caller that lacks it, and compresses
// it where the caller accepts that. Headers are set on the reply only once nothing can fail any more, so that an
// error never goes out under the ETag of the response it replaces.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import {
  type CompressedBodies,
  chooseEncoding,
  compressMinBytes,
  type Encoding,
} from '../responses/compress.ts'
import { encodedEtag, findFreshEtag } from '../responses/if-none-match.ts'
import type { Charges } from './charge.ts'

/** The response sent to a caller whose copy is missing or stale. */
interface Answer {
  /** Names in lower case. A 304 does not repeat them: the caller has them with its copy of the body. */
  readonly headers: Readonly<Record<string, string>>
  /** Not called where the compressed bytes are cached. The buffer must not change afterwards. */
  readonly body: () => Buffer
}

/** A response whose ETag is known before its body is made. */
export interface Prepared {
  /** The strong ETag of the plain body, quotes included. It must be unique across all URLs, not only within one. */
  readonly etag: string
  readonly make: () => Answer
}

export interface AnswerParts {
  readonly compressed: CompressedBodies
  readonly charges: Pick<Charges, 'settle' | 'peek'>
}

/** The dependencies of the catalogue routes. */
export interface CatalogueParts extends AnswerParts {
  readonly index: () => WatchIndex
  readonly baseUrl: string
  readonly charges: Charges
}

const contentType = 'application/json; charset=utf-8'
const vary = 'accept-encoding'
// Private: the headers count one account's requests, and a shared cache would respond without checking a key.
// No-cache: the catalogue can change at any moment, and revalidating is free (304).
const cacheControl = 'private, no-cache'

/** The headers of every response with a body. */
export const plainHeaders = { 'content-type': contentType, vary, 'cache-control': cacheControl } as const

/**
 * Sends synchronously unless the quota or the compression is asynchronous. An async route must return the reply that
 * this returns; otherwise Fastify takes the resolved promise for an empty response.
 */
export function sendResponse(
  request: FastifyRequest,
  reply: FastifyReply,
  { compressed, charges }: AnswerParts,
  prepare: () => Prepared,
): FastifyReply {
  const { headers } = request
  const encoding = chooseEncoding(headers['accept-encoding'])
  const prepared = prepare()
  const fresh = findFreshEtag(headers['if-none-match'], prepared.etag, encoding)
  if (fresh !== undefined) {
    const told = charges.peek(request, reply)
    return told === undefined
      ? sendNotModified(request, reply, fresh)
      : later(told, reply, () => sendNotModified(request, reply, fresh))
  }
  // Charged after the ETag comparison, which is free, and before the response is made.
  const settled = charges.settle(request, reply)
  return settled === undefined
    ? send(reply, compressed, encoding, prepared)
    : // Prepared again: the catalogue, and with it the ETag, may have changed during the wait.
      later(settled, reply, () => send(reply, compressed, encoding, prepare()))
}

function later<T>(waited: Promise<T>, reply: FastifyReply, act: (result: T) => FastifyReply): FastifyReply {
  // Not returned to the promise: a reply is thenable, and would be waited for.
  waited.then((result) => void act(result)).catch((error) => void reply.send(error))
  return reply
}

function send(
  reply: FastifyReply,
  compressed: CompressedBodies,
  encoding: Encoding,
  { etag, make }: Prepared,
): FastifyReply {
  const { headers, body } = make()
  const kept = encoding === 'identity' ? undefined : compressed.find(etag, encoding)
  if (kept !== undefined) return sendBody(reply, etag, headers, kept, encoding)
  const plain = body()
  if (encoding === 'identity' || plain.length < compressMinBytes || compressed.isBusy) {
    return sendBody(reply, etag, headers, plain, 'identity')
  }
  const compressing = Promise.resolve(compressed.get(etag, encoding, plain))
  return later(compressing, reply, (bytes) => sendBody(reply, etag, headers, bytes, encoding))
}

function sendNotModified({ method }: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply {
  setHeaders(reply.code(304), etag)
  // For HEAD, Fastify would add `content-length: 0`, and a 304 must not claim that the full response is empty.
  // Fastify does not measure streams.
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send()
}

function sendBody(
  reply: FastifyReply,
  etag: string,
  headers: Answer['headers'],
  body: Buffer,
  encoding: Encoding,
): FastifyReply {
  setHeaders(reply.type(contentType), encodedEtag(etag, encoding))
  for (const name in headers) reply.header(name, headers[name])
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.send(body)
}

function setHeaders(reply: FastifyReply, etag: string): void {
  reply.header('etag', etag).header('vary', vary).header('cache-control', cacheControl)
}
