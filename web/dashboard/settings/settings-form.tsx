// Shared by the settings forms: reads secrets from a form, and assigns an error to a field.
import { Refusal } from '../ask.ts'

/** The raw value, untrimmed: white space is part of a password. */
export function secretOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

/** Assigns an error of the whole form to `field`. For forms with only one field that can cause it. */
export function saidOf(error: unknown, field: string): unknown {
  if (!(error instanceof Refusal) || Object.keys(error.errors).length > 0) return error
  // Other statuses, such as 429 and 5xx, are not caused by the field.
  const isItsFault = error.status === 400 || error.status === 401
  return isItsFault ? new Refusal(error.status, error.message, { [field]: [error.message] }) : error
}
