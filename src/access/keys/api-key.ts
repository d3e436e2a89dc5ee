// In charge of the form of an API key: `wd_live_`, 30 random base62 characters, 6 of CRC-32 over them.
// The checksum lets secret scanners and typing errors be recognised without a look-up.
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

const prefix = 'wd_live_'
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const randomLength = 30
const checksumLength = 6
const bodyLength = randomLength + checksumLength
const shape = new RegExp(`^${prefix}[0-9A-Za-z]{${bodyLength}}$`)
const bodies = new RegExp(`[0-9A-Za-z]{${bodyLength},}`, 'g')

export function generateKey(): string {
  const random = Array.from({ length: randomLength }, () => alphabet[randomInt(alphabet.length)]).join('')
  return prefix + random + checksum(random)
}

/** Whether the text can be a key at all; says nothing of whether it is known. */
export function isWellFormedKey(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(prefix.length, prefix.length + randomLength)
  return text.endsWith(checksum(random))
}

/** Whether a key stands in the text, even without its prefix: all that is secret of it comes after that. */
export function holdsKey(text: string): boolean {
  for (const [run] of text.matchAll(bodies)) {
    // At its ends alone: a look at every place of a long text would take too long.
    const ends = [run.slice(0, bodyLength), run.slice(-bodyLength)]
    if (ends.some((body) => isWellFormedKey(prefix + body))) return true
  }
  return false
}

/** What is kept of a key. A plain hash suffices: 178 random bits cannot be guessed from it. */
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
