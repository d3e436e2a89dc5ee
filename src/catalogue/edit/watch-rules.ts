// Validates the fields of a watch that are given by hand. An error is a sentence that names what to change.
import { Failure } from '../../errors.ts'
import { priceMax } from '../prices.ts'

/** The same maximum as in filters, so that every stored key can be filtered by. */
const specKeyCharsMax = 128
const textCharsMax = 512

const controlCharacter = /\p{Cc}/u

export function checkSpecKey(key: string): void {
  if (key.trim() === '') throw new Failure('A spec key must not be empty.')
  if (key.length > specKeyCharsMax) {
    throw new Failure(`A spec key has at most ${specKeyCharsMax} characters: ${shortened(key)} is longer.`)
  }
  failOnControlCharacters(key, 'A spec key')
}

/** Returns the text without surrounding white space. */
export function checkedText(field: string, raw: string): string {
  const text = raw.trim()
  failOnControlCharacters(text, field)
  if (text.length > textCharsMax) throw new Failure(`${field} has at most ${textCharsMax} characters.`)
  return text
}

export function checkedName(field: string, raw: string): string {
  const text = checkedText(field, raw)
  if (text === '') throw new Failure(`${field} must not be empty.`)
  return text
}

/** Accepts plain decimals only, because the meaning of a comma is ambiguous. */
export function parsePrice(field: string, raw: string): number {
  const price = /^\d+(\.\d+)?$/.test(raw.trim()) ? Number(raw) : Number.NaN
  if (price > priceMax) {
    throw new Failure(
      `${field} is ${priceMax.toLocaleString('en-US')} at most: ${shortened(raw)} is not the price of a watch.`,
    )
  }
  if (Number.isFinite(price)) return price
  throw new Failure(
    `${field} must be a number of dollars such as 6600 or 5250.50, not ${shortened(raw)}: say --unset ${field} if it is not known.`,
  )
}

export function failOnControlCharacters(text: string, field: string): void {
  if (controlCharacter.test(text) || !text.isWellFormed()) {
    throw new Failure(`${field} must not have control characters: ${shortened(text)}.`)
  }
}

/** Quotes and shortens the text, to be used in a sentence. */
export function shortened(text: string): string {
  const charsMax = 60
  return JSON.stringify(text.length > charsMax ? `${text.slice(0, charsMax)}…` : text)
}
