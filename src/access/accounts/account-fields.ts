// Parses what users enter about accounts and keys: emails, names and expiry times. Accepted values are safe to store
// and to display.
import type { Clock } from '../../clock.ts'
import { invalid } from '../../errors.ts'

const emailMaxLength = 254
const localPartMaxLength = 64
const nameMaxLength = 100
const lifeMaxYears = 10
export const keyLifeMaxDays = lifeMaxYears * 365
const lifeMaxMs = keyLifeMaxDays * 86_400_000

/**
 * ASCII only: lower-casing other alphabets can make different addresses equal (the Kelvin sign becomes a k). Domains
 * in other alphabets are written `xn--…`. A domain without a dot belongs to the operator's own network.
 */
const emailShape = /^[\w!#$%&'*+/=?^`{|}~-]+(\.[\w!#$%&'*+/=?^`{|}~-]+)*@[a-z\d-]+(\.[a-z\d-]+)*$/i

/** Characters that would move the cursor, end the line or reverse the text direction where a name is displayed. */
const unprintable = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u

export function parseEmail(text: string): string {
  const email = normaliseEmail(text)
  if (email === undefined) throw invalid('email', 'The email must be a valid email address.')
  return email
}

/** The canonical form in which an email is stored; undefined if the text cannot be one, so that no query sees it. */
export function normaliseEmail(text: string): string | undefined {
  const email = text.trim()
  if (email.length > emailMaxLength || email.indexOf('@') > localPartMaxLength) return undefined
  return emailShape.test(email) ? email.toLowerCase() : undefined
}

/** Parses the name of an account or of a key. */
export function parseName(text: string): string {
  const name = text.trim()
  if (name === '') throw invalid('name', 'The name field is required.')
  if (name.length > nameMaxLength) {
    throw invalid('name', `The name must not be greater than ${nameMaxLength} characters.`)
  }
  if (unprintable.test(name)) throw invalid('name', 'The name must not contain control characters.')
  return name
}

/** Parses when a key expires. Bounded, because times are compared as text, and the text of a far year is longer. */
export function parseExpiry(end: Date, clock: Clock): string {
  const leftMs = end.getTime() - clock.nowMs()
  if (!(leftMs > 0 && leftMs <= lifeMaxMs)) {
    throw invalid('expires_at', `The expires at must be a time within the next ${lifeMaxYears} years.`)
  }
  return end.toISOString()
}
