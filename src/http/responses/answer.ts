// A response of the catalogue in one encoding, ready to be sent. It is compressed quickly at first, and once more, better,
// when it proves popular.
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { type Content, isPage, joinPage, lengthOfPage, type Page } from '../../search/results/list-watches.ts'
import { headerLines, ResponseBytes } from '../connection/raw-response.ts'
import { compressAgain, compressMinBytes, compressNow } from './compress.ts'
import type { Coding, Encoding } from './encoding.ts'
import { encodedEtag, findFreshEtag, type Quality } from './if-none-match.ts'
import type { Made, Prepared } from './prepared.ts'

/** An If-None-Match, and which ETag of the answer it has. */
interface Fresh {
  readonly ifNoneMatch: string
  readonly etag: string
}

/** Bytes an answer costs besides its characters and bytes: objects, strings, map slots. */
const answerBytes = 800
/** Of one number in an array. */
const placeBytes = 8
/** The longest If-None-Match that is kept: a few ETags. */
const keptHeaderMax = 200
/** How often a quickly compressed body is sent before it is compressed better. */
const popularUses = 8
/** After a body was compressed better, the next one waits this many times as long: 1 % of a core goes into it. */
const restFactor = 99

const unmade = ResponseBytes.of('')

let isCompressing = false
let restUntilMs = 0

export class Answer {
  /** The strong ETag of the plain body. */
  readonly etag: string
  readonly encoding: Encoding
  /** Undefined once it was called, or dropped. */
  #make: (() => Made) | undefined
  #warmUp: Prepared['warmUp']
  #sent = unmade
  #page: Page | undefined
  #fresh: Fresh | undefined
  /** How often a quickly compressed body was sent. */
  #uses = 0
  #isCached = false
  #hasChanged = true

  /** `make` must belong to one version of the catalogue, as the answer does. */
  constructor({ etag, make, warmUp }: Prepared, encoding: Encoding) {
    this.etag = etag
    this.encoding = encoding
    this.#make = make
    this.#warmUp = warmUp
  }

  get isCached(): boolean {
    return this.#isCached
  }

  /** Whether it has changed since it was cached, or was never cached. */
  get hasChanged(): boolean {
    return this.#hasChanged
  }

  get isMade(): boolean {
    return this.#sent !== unmade
  }

  /** Whether it has only its ETag, and needs `refill` before it can be made. */
  get isEmpty(): boolean {
    return this.#make === undefined && !this.isMade
  }

  /** Drops what it needs to be made, which holds the parsed query: a 304 needs no more than the ETag. */
  empty(): void {
    this.#make = undefined
    this.#warmUp = undefined
  }

  /** `prepared` must have the same ETag. */
  refill({ make, warmUp }: Prepared): void {
    this.#make = make
    this.#warmUp = warmUp
  }

  /** See `Prepared`. */
  warmUp(caller: string): Promise<void> | undefined {
    return this.#make === undefined ? undefined : this.#warmUp?.(caller)
  }

  /** How many bytes `moveTo` needs. */
  get storedBytes(): number {
    return this.isMade ? this.#sent.length : 0
  }

  /** The memory that the answer takes besides. */
  get otherBytes(): number {
    const page = this.#page
    return answerBytes + (page === undefined ? 0 : page.rest.length + page.rows.places.length * placeBytes)
  }

  /** Moves the bytes into the memory of the cache. */
  moveTo(memory: Buffer, start: number): void {
    if (this.isMade) this.#sent = this.#sent.moveTo(memory, start)
    this.#isCached = true
    this.#hasChanged = false
  }

  /** Its memory is needed for others. A request that still holds the answer has to refill it. */
  drop(): void {
    this.#sent = unmade
    this.#page = undefined
    this.#uses = 0
    this.#isCached = false
    this.#hasChanged = true
  }

  /** The complete answer; only its header lines if it has a page. */
  get sent(): ResponseBytes {
    return this.#sent
  }

  /** The body, if it is a page of watches that is sent uncompressed: it is joined when it is sent. */
  get page(): Page | undefined {
    return this.#page
  }

  /** The ETag of the 304 if the caller's copy is fresh; undefined if it is not. Most callers hold the same one. */
  findFresh(ifNoneMatch: string | undefined): string | undefined {
    if (ifNoneMatch === undefined) return undefined
    if (this.#fresh?.ifNoneMatch === ifNoneMatch) return this.#fresh.etag
    const etag = findFreshEtag(ifNoneMatch, this.etag, this.encoding)
    // A caller may send a long list, which is not counted.
    if (etag !== undefined && ifNoneMatch.length <= keptHeaderMax) this.#fresh = { ifNoneMatch, etag }
    return etag
  }

  /**
   * Makes headers and body, unless they are made already. Call it each time before the answer is sent. It must be sent,
   * and moved if it is cached, before another answer is completed.
   */
  complete(index: WatchIndex): void {
    if (this.#make !== undefined) this.#complete(index, this.#make())
    else if (this.#uses > 0 && ++this.#uses > popularUses) this.#improve()
  }

  #complete(index: WatchIndex, { headers, content }: Made): void {
    this.empty()
    const lines = headerLines(headers)
    const length = isPage(content) ? lengthOfPage(index, content) : content.length
    if (this.encoding !== 'identity' && length >= compressMinBytes) {
      const { encoding } = this
      const body = withBytes(index, content, (plain) => compressNow(encoding, plain))
      this.#put(ResponseBytes.passing(this.#codedLines(encoding, 'quick', lines, body), body))
      this.#uses = 1
    } else {
      this.#page = isPage(content) ? content : undefined
      const own = `${contentLines}content-length: ${length}\r\netag: ${this.etag}\r\n${lines}`
      this.#put(ResponseBytes.passing(own, isPage(content) ? undefined : content))
    }
  }

  /** One body at a time, with rests: better bytes are worth less than the time of the requests that are waiting. */
  #improve(): void {
    const { encoding } = this
    const startedMs = performance.now()
    if (encoding === 'identity' || isCompressing || startedMs < restUntilMs) {
      this.#uses = 1
      return
    }
    this.#uses = 0
    isCompressing = true
    // A copy: the cache may use the memory for others meanwhile.
    const quick = Buffer.from(this.#sent.body)
    const lines = ownLinesOf(this.#sent)
    compressAgain(encoding, quick)
      .then((body) => {
        if (!this.isMade || body.length >= quick.length) return
        this.#put(ResponseBytes.of(this.#codedLines(encoding, 'best', lines, body), body))
      })
      // The quick one stays in use.
      .catch(() => {})
      .finally(() => {
        isCompressing = false
        const endedMs = performance.now()
        restUntilMs = endedMs + (endedMs - startedMs) * restFactor
      })
  }

  /** `lines` are those that do not depend on the coding. */
  #codedLines(coding: Coding, quality: Quality, lines: string, { length }: Buffer): string {
    const etag = encodedEtag(this.etag, coding, quality)
    const coded = `content-length: ${length}\r\netag: ${etag}\r\ncontent-encoding: ${coding}\r\n`
    return contentLines + coded + lines
  }

  #put(sent: ResponseBytes): void {
    this.#sent = sent
    this.#hasChanged = true
  }
}

/** Calls `use` with the content as bytes, which are valid only then. */
function withBytes<T>(index: WatchIndex, content: Content, use: (plain: Buffer) => T): T {
  if (!isPage(content)) return use(content)
  const { bytes, giveBack } = joinPage(index, content)
  try {
    return use(bytes)
  } finally {
    giveBack()
  }
}

/** The lines that do not depend on the coding, out of a compressed response: those after its `content-encoding`. */
function ownLinesOf({ bytes, bodyAt }: ResponseBytes): string {
  const lines = bytes.toString('latin1', 0, bodyAt)
  const coding = lines.indexOf('\r\ncontent-encoding: ')
  return lines.slice(lines.indexOf('\r\n', coding + 2) + 2, -2)
}

// Private: the headers count one account's requests, and a shared cache would respond without checking a key.
// No-cache: the catalogue can change at any moment, and revalidating is free (304).
/** The header lines of every response that has an ETag. */
export const validatorHeaders = { vary: 'accept-encoding', 'cache-control': 'private, no-cache' } as const

/** A 304, without its ETag. */
export const unchanged = ResponseBytes.of(headerLines(validatorHeaders))

const contentLines = headerLines({ 'content-type': 'application/json; charset=utf-8', ...validatorHeaders })
