// In charge of sending an answer of the catalogue: its validator first, its bytes only to who lacks them,
// compressed for who can read that. Nothing is set on the reply before nothing can fail any more, so that an
// error never goes out under the ETag of the answer it replaces.
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import {
  type Coding,
  type CompressedBodies,
  chooseEncoding,
  compressMinBytes,
  type Encoding,
} from '../responses/compress.ts'
import { encodedEtag, findFreshEtag } from '../responses/if-none-match.ts'
import type { Charges } from './charge.ts'

/** What is sent to a caller who lacks it. */
export interface Answer {
  /** Names in lower case. A 304 does not repeat them: the caller holds them with the body. */
  readonly headers: Readonly<Record<string, string>>
  /** Not called where the compressed bytes are kept. Must not change afterwards. */
  readonly body: () => Buffer
}

/** An answer that is named, and not made before somebody wants it. */
export interface Prepared {
  /**
   * Strong, of the plain body, quotes included; it must differ for every body of every address, not of one alone.
   */
  readonly etag: string
  readonly make: () => Answer
}

export interface AnswerParts {
  readonly compressed: CompressedBodies
  readonly charges: Pick<Charges, 'settle' | 'peek'>
}

const contentType = 'application/json; charset=utf-8'
const vary = 'accept-encoding'
// Private: the headers count one account's requests, and a shared cache would answer without a key.
// Asked again each time: the catalogue changes at any moment, and to ask costs nothing (304).
const cacheControl = 'private, no-cache'

/** Of every answer with a body. */
export const plainHeaders = { 'content-type': contentType, vary, 'cache-control': cacheControl } as const

/**
 * Sends at once wherever nobody has to be asked and nothing compressed first. A route that is async has to return what
 * this returns, or Fastify takes its end for an empty answer.
 */
export function sendAnswer(
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
  // After the comparison, which is free, and before the answer.
  const settled = charges.settle(request, reply)
  return settled === undefined
    ? send(reply, compressed, encoding, prepared)
    : // Prepared anew: meanwhile the catalogue may have changed, and with it the name.
      later(settled, reply, () => send(reply, compressed, encoding, prepare()))
}

function later(waited: Promise<void>, reply: FastifyReply, act: () => FastifyReply): FastifyReply {
  waited.then(act).catch((error) => void reply.send(error))
  return reply
}

function send(
  reply: FastifyReply,
  compressed: CompressedBodies,
  encoding: Encoding,
  { etag, make }: Prepared,
): FastifyReply {
  const answer = make()
  return encoding === 'identity'
    ? sendPlain(reply, etag, answer.headers, answer.body())
    : sendCompressed(reply, compressed, etag, answer, encoding)
}

function sendNotModified({ method }: FastifyRequest, reply: FastifyReply, etag: string): FastifyReply {
  reply.code(304).header('etag', etag).header('vary', vary).header('cache-control', cacheControl)
  // To HEAD Fastify would add the length of the body that is not there, and a 304 must not say that the answer
  // has no bytes. A stream it does not measure.
  return method === 'HEAD' ? reply.send(Readable.from([])) : reply.send()
}

function sendPlain(
  reply: FastifyReply,
  etag: string,
  headers: Answer['headers'],
  body: Buffer,
): FastifyReply {
  return setHeaders(reply, etag, headers).send(body)
}

function sendCompressed(
  reply: FastifyReply,
  compressed: CompressedBodies,
  etag: string,
  { headers, body }: Answer,
  coding: Coding,
): FastifyReply {
  const kept = compressed.find(etag, coding)
  if (kept !== undefined) return sendEncoded(reply, etag, headers, coding, kept)
  const plain = body()
  if (plain.length < compressMinBytes || compressed.isBusy) return sendPlain(reply, etag, headers, plain)
  Promise.resolve(compressed.get(etag, coding, plain))
    .then((bytes) => void sendEncoded(reply, etag, headers, coding, bytes))
    .catch((error) => void reply.send(error))
  return reply
}

function sendEncoded(
  reply: FastifyReply,
  etag: string,
  headers: Answer['headers'],
  coding: Coding,
  bytes: Buffer,
): FastifyReply {
  return setHeaders(reply, encodedEtag(etag, coding), headers).header('content-encoding', coding).send(bytes)
}

function setHeaders(reply: FastifyReply, etag: string, headers: Answer['headers']): FastifyReply {
  reply.type(contentType).header('etag', etag).header('vary', vary).header('cache-control', cacheControl)
  for (const name in headers) reply.header(name, headers[name])
  return reply
}
