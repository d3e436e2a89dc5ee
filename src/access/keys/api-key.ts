// Generates and recognises API keys: `wd_live_` or `wd_test_`, 30 random base62 characters, 6 of CRC-32 over them.
// The checksum lets secret scanners recognise keys, and typing errors be found, without a database lookup.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefixes = { live: 'wd_live_', test: 'wd_test_' } as const
const prefixLength = prefixes.live.length
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const bodyLength = randomLength + checksumLength
const shape = new RegExp(`^(?:${Object.values(prefixes).join('|')})[0-9A-Za-z]{${bodyLength}}$`)
const bodies = new RegExp(`[0-9A-Za-z]{${bodyLength},}`, 'g')

/** A test key reads the sample catalogue. */
export type KeyMode = keyof typeof prefixes

export function generateKey(mode: KeyMode = 'live'): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefixes[mode] + random + checksum(random)
}

/** Whether the text has the format of a key; not whether such a key exists. */
export function isWellFormedKey(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(prefixLength, prefixLength + randomLength)
  return text.endsWith(checksum(random))
}

/** Whether the text contains a key, even one without its prefix: the secret part comes after the prefix. */
export function holdsKey(text: string): boolean {
  for (const [run] of text.matchAll(bodies)) {
    // Checks only both ends of the run: checking every position of a long text would take too long.
    const ends = [run.slice(0, bodyLength), run.slice(-bodyLength)]
    if (ends.some((body) => isWellFormedKey(prefixes.live + body))) return true
  }
  return false
}

/** The digest that is stored instead of the key. A plain hash suffices: 178 random bits cannot be guessed from it. */
export function keyDigest(key: string): string {
  return hash('sha256', key)
}

function checksum(random: string): string {
  let rest = crc32(random)
  let text = ''
  for (let index = 0; index < checksumLength; index++) {
    text = alphabet[rest % alphabet.length] + text
    rest = Math.floor(rest / alphabet.length)
  }
  return text
}
