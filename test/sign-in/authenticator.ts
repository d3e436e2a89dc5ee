// Generates the one-time codes of an authenticator app, for tests of two-factor sign-in.
import { createHmac } from 'node:crypto'

/**
 * The code shown now, or `steps` of 30 seconds away (RFC 6238). The server accepts each code once, and also the codes
 * one step away.
 */
export function codeOf(uri: string, steps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', secretOf(uri)).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** Returns a code that is wrong now and for two steps before and after; `which` selects among several. */
export function wrongCode(uri: string, which = 0): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(uri, steps))
  const codes = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(6))
  return codes.filter((code) => !right.includes(code))[which] ?? ''
}

export function secretOf(uri: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const characters = [...(new URL(uri).searchParams.get('secret') ?? '').replaceAll('=', '')]
  const bits = characters
    .map((character) => alphabet.indexOf(character).toString(2).padStart(5, '0'))
    .join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
