// Serves GET /export: every watch as a line of JSON, ordered by id, streamed from the index no faster than the client
// reads. The export is not a snapshot: changes made meanwhile may or may not be in it. Its cursor is that of the
// start, so a client that then applies /changes, each change with the current state, is exact.
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import { pipeline, Readable, type Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import type { Head } from '../../changes/log.ts'
import { Problem } from '../../errors.ts'
import type { Log } from '../../log.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { findWatchesAfter, lastIdOf, linesMemoryBytes } from '../../search/results/watch-lines.ts'
import { AccountSemaphore } from '../../semaphore.ts'
import type { CatalogueParts } from '../api/send-response.ts'
import { cursorText, placeOf } from '../queries/change-cursor.ts'
import { chooseEncoding, type Encoding } from '../responses/compress.ts'
import { catalogueEtag } from '../responses/etag.ts'
import { matches } from '../responses/if-none-match.ts'

export interface ExportParts extends Pick<CatalogueParts, 'index' | 'charges'> {
  readonly log: Log
}

const perAccountMax = 2
const inAllMax = 8
const retrySeconds = 5
/** Maximum duration of an export, however slowly the client reads. */
const exportMaxMs = 6 * 3_600_000
/** Chunk size of the compressors. */
const coderBytes = 65_536

export function exportRoute(app: FastifyInstance, parts: ExportParts): void {
  const semaphore = new AccountSemaphore(perAccountMax, inAllMax)
  app.get('/export', async (request, reply) => {
    const { headers, method } = request
    const etag = catalogueEtag(parts.index(), '/export')
    if (matches(headers['if-none-match'], etag)) {
      await parts.charges.peek(request, reply)
      return setValidator(reply, etag)
        .code(304)
        .send(method === 'HEAD' ? nothing() : undefined)
    }
    if (method !== 'HEAD') await takePermit(semaphore, parts, request, reply)
    await parts.charges.settle(request, reply)
    return sendExport(parts, request, reply)
  })
}

/** Takes a permit until the response has ended, however it ends. A caller that gets no permit is not charged. */
async function takePermit(
  semaphore: AccountSemaphore,
  { charges }: ExportParts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  const release = semaphore.take((request.caller as Caller).accountId)
  if (typeof release === 'function') {
    // The client may have disconnected during authentication: then no 'close' event follows.
    if (reply.raw.destroyed) release()
    else reply.raw.once('close', release)
    return
  }
  await charges.peek(request, reply)
  const code = release === 'account is full' ? 'too_many_requests' : 'unavailable'
  throw new Problem(code, { headers: { 'retry-after': String(retrySeconds) } })
}

function sendExport(parts: ExportParts, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const index = parts.index()
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const cursor = cursorText(placeOf(index.head))
  setValidator(reply, catalogueEtag(index, '/export'))
    .type('application/x-ndjson')
    .header('content-disposition', `attachment; filename="watches-${cursor}.ndjson"`)
    .header('x-change-cursor', cursor)
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  if (request.method === 'HEAD') return reply.send(nothing())
  // Written directly, not by a stream: a stream does not report when its bytes are sent and the memory can be reused.
  reply.hijack().raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  void writeExport(parts, index.head, reply.raw, encoding).catch((error) => {
    const isClientGone = reply.raw.destroyed || goneCodes.has(error.code)
    if (!isClientGone) parts.log.warn({ err: error, requestId: request.id }, 'an export was aborted')
    // Reset instead of ended: a partial export must not look complete, not even to HTTP/1.0 clients, which have no
    // last chunk.
    reply.raw.socket?.resetAndDestroy()
    reply.raw.destroy()
  })
  return reply
}

/** Errors of a client that disconnects, which is not worth a warning. */
const goneCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** A weak ETag: two exports of one version have the same watches, but not necessarily the same bytes. */
function setValidator(reply: FastifyReply, etag: string): FastifyReply {
  return reply
    .header('etag', `W/${etag}`)
    .header('vary', 'accept-encoding')
    .header('cache-control', 'private, no-cache')
}

/** An empty stream, because Fastify sets the content length of any other body. */
function nothing(): Readable {
  return Readable.from([])
}

/** Writes all watches. An error thrown here cuts the connection. */
async function writeExport(
  { index }: ExportParts,
  start: Head,
  response: ServerResponse,
  encoding: Encoding,
): Promise<void> {
  const untilMs = performance.now() + exportMaxMs
  const target = openTarget(response, encoding)
  const memory = Buffer.allocUnsafeSlow(linesMemoryBytes)
  // Watches added later are left to /changes.
  const throughId = lastIdOf(index())
  for (let lastId = 0; ; ) {
    failUnlessLater(index(), start)
    if (performance.now() > untilMs) throw new Error('the export took too long')
    const found = findWatchesAfter(index(), lastId, throughId, memory)
    if (found === undefined) break
    lastId = found.lastId
    if (found.lines.length > 0) await write(target, found.lines, response)
    await setImmediate()
  }
  target.end()
}

/** Resolves when the bytes are no longer needed; rejects when the client has disconnected. */
function write(target: Writable, lines: Buffer, response: ServerResponse): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onClose = () => reject(new Error('the client is gone'))
  if (response.destroyed) onClose()
  // Needed because the write callback is not called when the connection closes while the bytes wait behind another
  // response.
  response.once('close', onClose)
  target.write(lines, (error) => (error ? reject(error) : resolve()))
  return promise.finally(() => response.off('close', onClose))
}

/** Fails where the database was replaced: an export must not mix two databases. */
function failUnlessLater({ head }: WatchIndex, { epoch, sequence }: Head): void {
  if (head.epoch !== epoch || head.sequence < sequence) throw new Error('the database was replaced')
}

/** The response, or the compressor that is piped into it: when one ends, so does the other. */
function openTarget(response: ServerResponse, encoding: Encoding): Writable {
  if (encoding === 'identity') return response
  const coder = coders[encoding]()
  pipeline(coder, response, () => {})
  return coder
}

const { ZSTD_c_compressionLevel, BROTLI_PARAM_QUALITY } = zlib.constants
const coders = {
  zstd: () => zlib.createZstdCompress({ chunkSize: coderBytes, params: { [ZSTD_c_compressionLevel]: 1 } }),
  gzip: () => zlib.createGzip({ chunkSize: coderBytes, level: 5 }),
  br: () => zlib.createBrotliCompress({ chunkSize: coderBytes, params: { [BROTLI_PARAM_QUALITY]: 4 } }),
}
