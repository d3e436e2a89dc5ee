// Chooses the content coding of a response by the Accept-Encoding header of its request.

export type Coding = 'zstd' | 'gzip' | 'br'
export type Encoding = Coding | 'identity'

/** No client needs to send more. The length bounds the work; length and count together bound the memory of `chosen`. */
const acceptEncodingLengthMax = 256
const chosenMax = 64

/**
 * The order among codings with equal weights: by the time that the first compression takes (compress.ts). Only from
 * about 200 KB on, more than a list ever has, does zstd take no longer than gzip, and saves a fifth of the bytes.
 */
const preference = ['gzip', 'zstd', 'br', 'identity'] as const

/** Caches the choice for the few headers that browsers and libraries send, so that each is parsed once. */
const chosen = new Map<string, Encoding>()
/** The header of the last request, which the next one usually has too: comparing it is quicker than a lookup. */
let last: { readonly acceptEncoding: string; readonly encoding: Encoding } | undefined

/** Chooses by an Accept-Encoding header. A caller that excludes all supported encodings gets identity, not an error. */
export function chooseEncoding(acceptEncoding: string | undefined): Encoding {
  if (acceptEncoding === undefined || acceptEncoding.length > acceptEncodingLengthMax) return 'identity'
  if (last?.acceptEncoding === acceptEncoding) return last.encoding
  const encoding = chosen.get(acceptEncoding) ?? choose(acceptEncoding)
  last = { acceptEncoding, encoding }
  return encoding
}

function choose(acceptEncoding: string): Encoding {
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
