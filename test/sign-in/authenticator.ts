// In charge of an authenticator, for tests: the codes that a second factor asks for.
import { createHmac } from 'node:crypto'

/** What it shows now, or `steps` of thirty seconds away (RFC 6238). Each is good once; those one step away are good too. */
export function codeOf(uri: string, steps = 0): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps))
  const digest = createHmac('sha1', secretOf(uri)).update(counter).digest()
  const at = (digest.at(-1) ?? 0) & 0xf
  return String((digest.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, '0')
}

/** One that is wrong now and shortly before and after; `which` makes it another. */
export function wrongCode(uri: string, which = 0): string {
  const right = [-2, -1, 0, 1, 2].map((steps) => codeOf(uri, steps))
  const codes = Array.from({ length: 10 }, (_, digit) => String(digit).repeat(6))
  return codes.filter((code) => !right.includes(code))[which] ?? ''
}

export function secretOf(uri: string): Buffer {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
  const emails = [...(new URL(uri).searchParams.get('secret') ?? '').replaceAll('=', '')]
  const bits = emails.map((message) => alphabet.indexOf(message).toString(2).padStart(5, '0')).join('')
  return Buffer.from(bits.match(/.{8}/g)?.map((byte) => Number.parseInt(byte, 2)) ?? [])
}
