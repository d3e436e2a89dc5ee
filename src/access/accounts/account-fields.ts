// In charge of what people write about an account and its keys: addresses, names and times, as they may be kept and
// shown.
import type { Clock } from '../../clock.ts'
import { Problem } from '../../errors.ts'

const emailMaxLength = 254
const localPartMaxLength = 64
const nameMaxLength = 100
const lifeMaxYears = 10
export const keyLifeMaxDays = lifeMaxYears * 365
const lifeMaxMs = keyLifeMaxDays * 86_400_000

/**
 * ASCII only: lower case of other alphabets makes different addresses the same (the Kelvin sign becomes a k). Domains
 * of those are written `xn--…`. A domain without a dot is one of the operator's own network.
 */
const emailShape = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d-]+(\.[a-z\d-]+)*$/i

/** What would move the cursor, end the line or turn the text around where a name is shown. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

export function parseEmail(text: string): string {
  const email = normaliseEmail(text)
  if (email === undefined) throw invalid('email', 'The email must be a valid email address.')
  return email
}

/** The one form in which an address is kept; undefined where it cannot be one, so that no odd text is looked for. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim()
  if (email.length > emailMaxLength || email.indexOf('@') > localPartMaxLength) return undefined
  return emailShape.test(email) ? email.toLowerCase() : undefined
}

/** A name of an account or of a key. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalid('name', 'The name field is required.')
  if (name.length > nameMaxLength) {
    throw invalid('name', `The name must not be greater than ${nameMaxLength} characters.`)
  }
  if (unprintable.test(name)) throw invalid('name', 'The name must not contain control characters.')
  return name
}

/** When a key is to end. Bounded, because times are compared as text, and that of a far year is longer. */
export function parseExpiry(end: Date, clock: Clock): string {
  const leftMs = end.getTime() - clock.nowMs()
  if (!(leftMs > 0 && leftMs <= lifeMaxMs)) {
    throw invalid('expires_at', `The expires at must be a time within the next ${lifeMaxYears} years.`)
  }
  return end.toISOString()
}

export function invalid(field: string, text: string): Problem {
  return new Problem('invalid', { errors: { [field]: [text] } })
}
