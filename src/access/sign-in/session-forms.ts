// The table of forms under /api/auth: path, method, fields and rate limits. A path that is not in it does not exist,
// and fields that are not in it are not passed on.
import { type FieldErrors, Problem } from '../../errors.ts'
import { parseEmail, parseName } from '../accounts/account-fields.ts'
import { passwordMaxLength, passwordMinLength } from './passwords.ts'

export const authPath = '/api/auth'

export interface Form {
  readonly method: 'GET' | 'POST'
  readonly fields: Readonly<Record<string, Field>>
  /** Attempts per minute from one client address. */
  readonly perAddressMax: number
  /** Accounts that one client address may create per UTC day. */
  readonly perAddressPerDayMax?: number
  /** Attempts per minute for one email from one client address, so that nobody elsewhere locks its owner out. */
  readonly perEmailAndAddressMax?: number
  /** Attempts per minute for one email, from all client addresses. */
  readonly perEmailMax?: number
  /** The field with a password to be stored: it is hashed before anything else is done. */
  readonly hashed?: string
}

export type Values = Readonly<Record<string, unknown>>

/** `parse` throws a RangeError whose message completes "The password …". */
interface Field {
  readonly isOptional?: boolean
  readonly parse: (value: string | boolean) => unknown
}

const tokenMaxLength = 512
const codeMaxLength = 32

const name = textField(parseName)
const email = textField(parseEmail)
/** An existing password has no minimum length, but a maximum: nobody can make us hash a very long text. */
const password = textField((written) => atMost(written, passwordMaxLength))
const newPassword = textField((written) => {
  if (atMost(written, passwordMaxLength).trim().length < passwordMinLength) {
    throw new RangeError(`must be at least ${passwordMinLength} characters`)
  }
  return written
})
const token = textField((written) => {
  if (!isToken(atMost(written, tokenMaxLength))) throw new RangeError('is not one')
  return written
})
const code = textField((written) => atMost(written.trim(), codeMaxLength))
const flag: Field = {
  isOptional: true,
  parse: (value) => {
    if (typeof value !== 'boolean') throw new RangeError('must be true or false')
    return value
  },
}

const often = 60
const seldom = 10

export const forms = {
  '/sign-up/email': {
    method: 'POST',
    fields: { name, email, password: newPassword },
    perAddressMax: seldom,
    perAddressPerDayMax: 10,
    perEmailMax: 3,
    hashed: 'password',
  },
  '/sign-in/email': {
    method: 'POST',
    fields: { email, password },
    perAddressMax: 10,
    perEmailAndAddressMax: 5,
    perEmailMax: 50,
  },
  '/sign-out': { method: 'POST', fields: {}, perAddressMax: often },
  '/get-session': { method: 'GET', fields: {}, perAddressMax: 600 },
  '/verify-email': { method: 'GET', fields: {}, perAddressMax: often },
  '/send-verification-email': { method: 'POST', fields: { email }, perAddressMax: seldom, perEmailMax: 3 },
  '/request-password-reset': { method: 'POST', fields: { email }, perAddressMax: seldom, perEmailMax: 3 },
  '/reset-password': {
    method: 'POST',
    fields: { token, newPassword },
    perAddressMax: seldom,
    hashed: 'newPassword',
  },
  '/change-password': {
    method: 'POST',
    fields: { currentPassword: password, newPassword, revokeOtherSessions: flag },
    perAddressMax: seldom,
  },
  '/update-user': { method: 'POST', fields: { name }, perAddressMax: often },
  '/list-sessions': { method: 'GET', fields: {}, perAddressMax: often },
  '/revoke-session': { method: 'POST', fields: { id: token }, perAddressMax: often },
  '/revoke-other-sessions': { method: 'POST', fields: {}, perAddressMax: often },
  '/two-factor/enable': { method: 'POST', fields: { password }, perAddressMax: seldom },
  '/two-factor/disable': { method: 'POST', fields: { password }, perAddressMax: seldom },
  '/two-factor/verify-totp': { method: 'POST', fields: { code }, perAddressMax: seldom },
  '/two-factor/verify-backup-code': { method: 'POST', fields: { code }, perAddressMax: seldom },
  '/two-factor/generate-backup-codes': { method: 'POST', fields: { password }, perAddressMax: seldom },
} as const satisfies Record<string, Form>

/** Throws a Problem if there is no such form, or not with this method. */
export function getForm({ url, method }: Request): { path: string; form: Form } {
  const { pathname } = new URL(url)
  const path = pathname.startsWith(authPath) ? pathname.slice(authPath.length) : ''
  const form: Form | undefined = Object.hasOwn(forms, path) ? forms[path as keyof typeof forms] : undefined
  if (form === undefined) throw new Problem('not_found')
  if (form.method !== method) throw new Problem('method_not_allowed', { headers: { allow: form.method } })
  return { path, form }
}

/** Whether the text can be one of our tokens. PostgreSQL rejects a query for a text with a NUL. */
export function isToken(written: string): boolean {
  return /^[\x21-\x7e]+$/.test(written)
}

/** Returns the fields of the form and no others; throws a Problem that names every invalid field. */
export function parseFields({ fields }: Pick<Form, 'fields'>, body: unknown): Values {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Problem('bad_request')
  const errors: Record<string, readonly string[]> = {}
  const values: Record<string, unknown> = {}
  for (const [field, { isOptional = false, parse }] of Object.entries(fields)) {
    const value: unknown = (body as Record<string, unknown>)[field]
    const isMissing = value === undefined || value === null || value === ''
    if (isMissing && isOptional) continue
    try {
      if (isMissing) throw new RangeError('field is required')
      values[field] = parse(value as string | boolean)
    } catch (error) {
      Object.assign(errors, errorsOf(field, error))
    }
  }
  if (Object.keys(errors).length > 0) throw new Problem('invalid', { errors })
  return values
}

function errorsOf(field: string, error: unknown): FieldErrors {
  if (error instanceof Problem && error.details.errors !== undefined) return error.details.errors
  if (!(error instanceof RangeError)) throw error
  return { [field]: [`The ${labelOf(field)} ${error.message}.`] }
}

/** The field's name in plain words: `newPassword` becomes `new password`. */
export function labelOf(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function textField(parse: (written: string) => string): Field {
  return {
    parse: (value) => {
      if (typeof value !== 'string') throw new RangeError('must be a string')
      return parse(value)
    },
  }
}

function atMost(value: string, max: number): string {
  if (value.length > max) throw new RangeError(`must not be greater than ${max} characters`)
  return value
}
