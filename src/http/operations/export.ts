// Answers GET /export: every watch as a line of JSON, ordered by id, streamed from the index no faster than the client
// reads. The export is not a snapshot: changes made meanwhile may or may not be in it. Its cursor is that of the
// start, so a client that then applies /changes, each change with the current state, is exact.
import type { ServerResponse } from 'node:http'
import { pipeline, type Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import zlib from 'node:zlib'
import type { Head } from '../../changes/log.ts'
import { Problem } from '../../errors.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { findWatchesAfter, lastIdOf, linesMemoryBytes } from '../../search/results/watch-lines.ts'
import { AccountSemaphore } from '../../semaphore.ts'
import { cursorText, placeOf } from '../queries/change-cursor.ts'
import type { Encoding } from '../responses/encoding.ts'
import { catalogueEtag } from '../responses/etag.ts'
import type { ApiParts, Call, Streamed } from './call.ts'

const perAccountMax = 2
const inAllMax = 8
const retrySeconds = 5
/** Maximum duration of an export, however slowly the client reads. */
const exportMaxMs = 6 * 3_600_000
/** Chunk size of the compressors. */
const coderBytes = 65_536

/** The exports that run at once. */
export function openExports(): AccountSemaphore {
  return new AccountSemaphore(perAccountMax, inAllMax)
}

export function exportWatches(call: Call, { index, exports, log }: ApiParts): Streamed {
  const { head } = index()
  const cursor = cursorText(placeOf(head))
  return {
    etag: catalogueEtag(index(), '/export'),
    headers: {
      'content-type': 'application/x-ndjson',
      'content-disposition': `attachment; filename="watches-${cursor}.ndjson"`,
      'x-change-cursor': cursor,
    },
    reserve: () => takePermit(exports, call),
    write: async (encoding) => {
      const { response } = call
      try {
        await writeExport(index, head, response, encoding)
      } catch (error) {
        const isClientGone = response.destroyed || goneCodes.has((error as NodeJS.ErrnoException).code)
        if (!isClientGone) log.warn({ err: error, requestId: call.requestId }, 'an export was aborted')
        // Reset instead of ended: a partial export must not look complete, not even to HTTP/1.0 clients, which have
        // no last chunk.
        response.socket?.resetAndDestroy()
        response.destroy()
      }
    },
  }
}

/** Takes a permit until the response has ended, however it ends. */
function takePermit(exports: AccountSemaphore, { caller, response }: Call): void {
  const release = exports.take(caller.accountId)
  if (typeof release === 'function') {
    // The client may have disconnected during authentication: then no 'close' event follows.
    if (response.destroyed) release()
    else response.once('close', release)
    return
  }
  const code = release === 'account is full' ? 'too_many_requests' : 'unavailable'
  throw new Problem(code, { headers: { 'retry-after': String(retrySeconds) } })
}

/** Errors of a client that disconnects, which is not worth a warning. */
const goneCodes: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED'])

/** Writes all watches. An error thrown here cuts the connection. */
async function writeExport(
  index: () => WatchIndex,
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
