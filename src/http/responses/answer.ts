// A response of the catalogue, ready to be sent: its header lines, and its body in each encoding that was asked for.
// It is compressed quickly when it is first asked for, and once more, better, when it proves popular.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { type Content, isPage, joinPage, lengthOfPage } from '../../search/results/list-watches.ts'
import { headerLines, lineBytes } from '../connection/raw-response.ts'
import { compressMinBytes, compressNow, compressWell } from './compress.ts'
import type { Coding, Encoding } from './encoding.ts'
import { encodedEtag, findFreshEtag, type Quality } from './if-none-match.ts'
import type { Made, Prepared } from './prepared.ts'

/** A body in one coding, with the header lines that belong to it. */
export interface Encoded {
  readonly lines: Buffer
  readonly body: Buffer
}

/** A 304, and the request that it answers. */
export interface Fresh {
  readonly ifNoneMatch: string
  readonly encoding: Encoding
  readonly lines: Buffer
}

interface Kept extends Encoded {
  readonly quality: Quality
  uses: number
}

/** Bytes an answer costs besides its characters and bytes: objects, strings, map slots. */
const answerBytes = 500
/** The same before it is made, while it holds the parsed query. */
const unmadeBytes = 1_500
const encodedBytes = 300
/** The longest If-None-Match that is kept: a few ETags. */
const keptHeaderMax = 200
/** How often a quickly compressed body is sent before it is compressed better. */
const popularUses = 8

const noBytes = Buffer.alloc(0)

let isCompressing = false

export class Answer {
  /** The strong ETag of the plain body. */
  readonly etag: string
  /** Undefined once it was called: most answers are made at once, but a 304 needs no more than the ETag. */
  #make: (() => Made) | undefined
  #warmUp: Prepared['warmUp']
  #content: Content = noBytes
  #length = 0
  #ownLines = ''
  #lines: Buffer = noBytes
  readonly #encoded = new Map<Coding, Kept>()
  #fresh: Fresh | undefined
  #bytes = unmadeBytes

  /** The bytes that the cache has counted for this answer, with its URL; 0 while it is not cached. */
  countedBytes = 0
  /** Whether the cache should count the answer again. */
  hasGrown = true

  /** `make` must belong to one version of the catalogue, as the answer does. */
  constructor({ etag, make, warmUp }: Prepared) {
    this.etag = etag
    this.#make = make
    this.#warmUp = warmUp
  }

  /** See `Prepared`. */
  warmUp(): Promise<void> | undefined {
    return this.#make === undefined ? undefined : this.#warmUp?.()
  }

  /** The memory that the answer takes. */
  get bytes(): number {
    return this.#bytes
  }

  /** The header lines of the plain body. */
  get lines(): Buffer {
    return this.#lines
  }

  get content(): Content {
    return this.#content
  }

  /** How the caller's copy is known to be fresh; undefined where it is not. Most callers hold the same ETag. */
  findFresh(ifNoneMatch: string | undefined, encoding: Encoding): Fresh | undefined {
    if (ifNoneMatch === undefined) return undefined
    const last = this.#fresh
    if (last?.ifNoneMatch === ifNoneMatch && last.encoding === encoding) return last
    const etag = findFreshEtag(ifNoneMatch, this.etag, encoding)
    if (etag === undefined) return undefined
    const fresh = { ifNoneMatch, encoding, lines: lineBytes(headerLines({ etag, ...validatorHeaders })) }
    // A caller may send a long list, which is not counted.
    if (ifNoneMatch.length <= keptHeaderMax) this.#fresh = fresh
    return fresh
  }

  /** Makes headers and content, unless they are made already. */
  complete(index: WatchIndex): void {
    if (this.#make === undefined) return
    const { headers, content } = this.#make()
    this.#make = undefined
    this.#warmUp = undefined
    this.#content = content
    this.#length = isPage(content) ? lengthOfPage(index, content) : content.length
    this.#ownLines = headerLines(headers)
    this.#lines = this.#linesOf(this.#length, this.etag)
    const held = isPage(content) ? content.rest.length + content.rows.places.byteLength : content.length
    this.hasGrown = true
    this.#bytes = answerBytes + this.#lines.length + this.#ownLines.length + held
  }

  /**
   * The complete answer in that encoding; undefined where it is to be sent plain, because it is small or the caller
   * wants it so.
   */
  encoded(index: WatchIndex, encoding: Encoding): Encoded | undefined {
    if (encoding === 'identity' || this.#length < compressMinBytes) return undefined
    const known = this.#encoded.get(encoding)
    if (known === undefined) return this.#compress(index, encoding)
    if (++known.uses === popularUses && known.quality === 'quick') this.#improve(index, encoding, known)
    return known
  }

  #compress(index: WatchIndex, coding: Coding): Encoded {
    return this.#keep(
      coding,
      'quick',
      this.#withPlain(index, (plain) => compressNow(coding, plain)),
    )
  }

  /** One body at a time: better bytes are worth less than the time of the requests that are waiting. */
  #improve(index: WatchIndex, coding: Coding, known: Kept): void {
    if (isCompressing) {
      known.uses = 0
      return
    }
    isCompressing = true
    compressWell(
      coding,
      this.#withPlain(index, (plain) => Buffer.from(plain)),
    )
      .then((body) => {
        if (body.length < known.body.length) this.#keep(coding, 'best', body)
      })
      // The quick one stays in use.
      .catch(() => {})
      .finally(() => {
        isCompressing = false
      })
  }

  #withPlain<T>(index: WatchIndex, use: (plain: Buffer) => T): T {
    const content = this.#content
    if (!isPage(content)) return use(content)
    const { bytes, giveBack } = joinPage(index, content)
    try {
      return use(bytes)
    } finally {
      giveBack()
    }
  }

  #keep(coding: Coding, quality: Quality, body: Buffer): Encoded {
    // Copied where the compressor returns a view of a larger buffer, all of which would stay in memory.
    const own = body.buffer.byteLength > body.length ? copyOf(body) : body
    const etag = encodedEtag(this.etag, coding, quality)
    const lines = this.#linesOf(body.length, etag, `content-encoding: ${coding}\r\n`)
    const before = this.#encoded.get(coding)
    if (before !== undefined) this.#bytes -= encodedBytes + before.body.length + before.lines.length
    this.hasGrown = true
    this.#bytes += encodedBytes + own.length + lines.length
    const kept = { lines, body: own, quality, uses: 1 }
    this.#encoded.set(coding, kept)
    return kept
  }

  #linesOf(length: number, etag: string, more = ''): Buffer {
    return lineBytes(`${contentLines}content-length: ${length}\r\netag: ${etag}\r\n${more}${this.#ownLines}`)
  }
}

function copyOf(body: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(body.length)
  body.copy(copy)
  return copy
}

// Private: the headers count one account's requests, and a shared cache would respond without checking a key.
// No-cache: the catalogue can change at any moment, and revalidating is free (304).
/** The header lines of every response that has an ETag. */
export const validatorHeaders = { vary: 'accept-encoding', 'cache-control': 'private, no-cache' } as const

const contentLines = headerLines({ 'content-type': 'application/json; charset=utf-8', ...validatorHeaders })
