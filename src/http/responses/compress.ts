// Chooses the content coding of a response, and caches compressed bodies. Knows nothing of requests and replies, only
// header texts and bytes.
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { LRUCache } from 'lru-cache'

export type Coding = 'zstd' | 'gzip' | 'br'
export type Encoding = Coding | 'identity'

/** Below this size, compression saves less than one network packet. */
export const compressMinBytes = 1_024
export const compressedBodiesMaxBytes = 32 * 1_024 * 1_024
/** Bytes an entry costs besides its body: the key, the map slot, the Buffer object. */
const entryBytes = 256
/**
 * Maximum of concurrent compressions. Each holds a body and a slot in the queue of the thread pool, which file access
 * and DNS lookups share.
 */
const runningMax = 64
/** No client needs to send more. The length bounds the work; length and count together bound the memory of `chosen`. */
const acceptEncodingLengthMax = 256
const chosenMax = 64

/**
 * The order among codings with equal weights. On 20 KB of watches, CPU time and bytes (lower is better): zstd level
 * 1: 230 µs, 3,495; gzip level 5: 402 µs, 3,238; br level 4: 467 µs, 3,211. Brotli's last 1 % costs a sixth more
 * time.
 */
const preference = ['zstd', 'gzip', 'br', 'identity'] as const

/** Caches the choice for the few headers that browsers and libraries send, so that each is parsed once. */
const chosen = new Map<string, Encoding>()

/** Chooses by an Accept-Encoding header. A caller that excludes all supported encodings gets identity, not an error. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding.length > acceptEncodingLengthMax) return 'identity'
  const known = chosen.get(acceptEncoding)
  if (known !== undefined) return known
  const encoding = negotiate(acceptEncoding)
  // Cleared as a whole: a caller that fills the cache costs the others one more parse, and no order of use has to be
  // kept.
  if (chosen.size >= chosenMax) chosen.clear()
  chosen.set(acceptEncoding, encoding)
  return encoding
}

function negotiate(acceptEncoding: string): Encoding {
  const weights = new Map<string, number>()
  for (const member of acceptEncoding.split(',')) {
    const [coding = '', ...parameters] = member.split(';')
    const name = coding.trim().toLowerCase()
    const weight = parameters.length === 0 ? 1 : parseWeight(parameters.join(';'))
    // Where a coding is listed twice, the lower weight counts: identity is always understood.
    weights.set(name, Math.min(weight, weights.get(name) ?? 1))
  }
  const weightOf = (encoding: Encoding) => weights.get(encoding) ?? weights.get('*') ?? 0
  const accepted = preference.filter((encoding) => weightOf(encoding) > 0)
  // Sorting is stable, so that our preference decides between equal weights.
  return accepted.sort((one, other) => weightOf(other) - weightOf(one))[0] ?? 'identity'
}

/** An invalid weight is 0: the caller is not known to accept this coding. */
function parseWeight(parameter: string): number {
  const [, weight = '0'] = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/i.exec(parameter) ?? []
  return Number(weight)
}

/** Compressed bodies of popular responses. The least recently used are dropped first. */
export class CompressedBodies {
  readonly #compress: typeof compress
  readonly #cached: LRUCache<string, Buffer>
  readonly #running = new Map<string, Promise<Buffer>>()

  constructor(maxBytes = compressedBodiesMaxBytes, compressBody = compress) {
    this.#cached = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: ({ length }) => length + entryBytes,
    })
    this.#compress = compressBody
  }

  get bytes(): number {
    return this.#cached.calculatedSize
  }

  /** Whether so many compressions are running that it is better to send a body uncompressed. */
  get isBusy(): boolean {
    return this.#running.size >= runningMax
  }

  /** `etag` is the strong ETag of the plain body. It must be unique across all URLs. */
  find(etag: string, coding: Coding): Buffer | undefined {
    return this.#cached.get(etag + coding)
  }

  /** Compresses in the thread pool, once for all concurrent callers. Failures are not cached. */
  get(etag: string, coding: Coding, body: Buffer): Buffer | Promise<Buffer> {
    const key = etag + coding
    return this.find(etag, coding) ?? this.#running.get(key) ?? this.#start(key, coding, body)
  }

  #start(key: string, coding: Coding, body: Buffer): Promise<Buffer> {
    const running = this.#compress(coding, body)
      .then((compressed) => this.#keep(key, compressed))
      .finally(() => this.#running.delete(key))
    this.#running.set(key, running)
    return running
  }

  #keep(key: string, compressed: Buffer): Buffer {
    // Copied, because zlib returns a view of a 16 KB buffer: caching the view would keep all 16 KB alive.
    const body = Buffer.allocUnsafeSlow(compressed.length)
    compressed.copy(body)
    this.#cached.set(key, body)
    return body
  }
}

const gzip = promisify(zlib.gzip)
const brotliCompress = promisify(zlib.brotliCompress)
const zstdCompress = promisify(zlib.zstdCompress)

const { BROTLI_PARAM_MODE, BROTLI_MODE_TEXT, BROTLI_PARAM_QUALITY, BROTLI_PARAM_SIZE_HINT } = zlib.constants
const { ZSTD_c_compressionLevel } = zlib.constants

/** Levels were chosen by the benchmark at `preference`: zstd 3 takes 1.3 times as long as 1 for 0.7 % fewer bytes. */
async function compress(coding: Coding, body: Buffer): Promise<Buffer> {
  switch (coding) {
    case 'zstd':
      return zstdCompress(body, { params: { [ZSTD_c_compressionLevel]: 1 } })
    case 'gzip':
      return gzip(body, { level: 5 })
    case 'br':
      return brotliCompress(body, {
        params: {
          [BROTLI_PARAM_QUALITY]: 4,
          [BROTLI_PARAM_MODE]: BROTLI_MODE_TEXT,
          [BROTLI_PARAM_SIZE_HINT]: body.length,
        },
      })
  }
}
