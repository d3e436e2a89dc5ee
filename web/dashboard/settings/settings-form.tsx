// In charge of what the forms of the settings share: reading secrets from them, and which refusals are a field’s.
import { Refusal } from '../ask.ts'

/** As it was typed: white space is part of a password. */
export function secretOf(form: HTMLFormElement, name: string): string {
  const value = new FormData(form).get(name)
  return typeof value === 'string' ? value : ''
}

/** What is refused as a whole, as said of this field; for forms that have no other that could be meant. */
export function saidOf(error: unknown, field: string): unknown {
  if (!(error instanceof Refusal) || Object.keys(error.errors).length > 0) return error
  // What the service could not do at all is not the field's fault.
  const isItsFault = error.status === 400 || error.status === 401
  return isItsFault ? new Refusal(error.status, error.message, { [field]: [error.message] }) : error
}
