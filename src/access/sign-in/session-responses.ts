// Translates better-auth's responses under /api/auth: errors get our own texts, and successes lose the tokens that only
// a cookie should hold.
import { invalid, Problem } from '../../errors.ts'
import { type Form, labelOf } from './session-forms.ts'

/** How long better-auth locks a second factor after too many wrong codes. */
export const lockedSeconds = 900

const links = 'This link is not good any more: please ask for a new one.'
const signInAgain = 'Please sign in again.'

/** better-auth's error code → our text. A code that is not here gets the text of its status. */
const sentences: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The email or the password is wrong.',
  EMAIL_NOT_VERIFIED:
    'Please confirm your email address first: open the link in the letter we have sent you.',
  ACCOUNT_SUSPENDED: 'This account is suspended.',
  INVALID_TOKEN: links,
  TOKEN_EXPIRED: links,
  USER_NOT_FOUND: links,
  INVALID_CODE: 'The code is wrong.',
  CODE_TAKEN: 'The code is wrong, or was used already: please wait for the next one.',
  INVALID_BACKUP_CODE: 'The code is wrong, or was used already.',
  INVALID_TWO_FACTOR_COOKIE: signInAgain,
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes: please sign in again.',
  TOTP_ALREADY_ENABLED: 'The second factor is on already.',
  TOTP_NOT_ENABLED: 'There is no second factor.',
  TWO_FACTOR_NOT_ENABLED: 'There is no second factor.',
  BACKUP_CODES_NOT_ENABLED: 'There is no second factor.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'This account has no password yet: please ask for a link to choose one.',
  MISSING_OR_NULL_ORIGIN: 'The request must say in its Origin header where it comes from.',
}

const byStatus: Readonly<Record<number, string>> = {
  400: 'The request could not be understood.',
  401: 'Unauthenticated.',
  403: 'This is not allowed.',
  404: 'Resource not found.',
  409: 'Something else was changed at the same time: please try again.',
}

/** Rewrites better-auth's response in our words. Throws if the error is the service's own fault. */
export async function translateAnswer(answer: Response, form: Form): Promise<Response> {
  const { status, headers } = answer
  if (status >= 300 && status < 400) return answer
  const body = await answer.text()
  if (status < 300) return jsonAnswer(status, withoutTokens(body), headers)
  const { code = '' } = parseError(body)
  if (status >= 500) throw new Error(`signing in failed: ${code || status}`)
  if (code === 'ACCOUNT_TEMPORARILY_LOCKED') {
    throw new Problem('too_many_requests', { headers: { 'retry-after': String(lockedSeconds) } })
  }
  if (code === 'USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL') {
    throw invalid('email', 'The email has already been taken.')
  }
  if (code === 'INVALID_PASSWORD') {
    const field = 'currentPassword' in form.fields ? 'currentPassword' : 'password'
    throw invalid(field, `The ${labelOf(field)} is wrong.`)
  }
  const message = sentences[code] ?? byStatus[status] ?? 'The request could not be understood.'
  return jsonAnswer(status, code === '' ? { message } : { message, code }, headers)
}

export function jsonAnswer(status: number, body: unknown, from?: Headers): Response {
  const headers = new Headers({ 'content-type': 'application/json; charset=utf-8' })
  for (const cookie of from?.getSetCookie() ?? []) headers.append('set-cookie', cookie)
  return new Response(JSON.stringify(body), { status, headers })
}

/** A session as shown to its owner. */
export interface ToldSession {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
  readonly expiresAt: string
  readonly ipAddress: string | null
  readonly userAgent: string | null
  readonly current: boolean
}

/** Picks the fields of better-auth's sessions that the page of sessions shows. */
export function tellSessions(
  found: readonly Omit<ToldSession, 'current'>[],
  currentId: string | undefined,
): ToldSession[] {
  return found.map(({ id, createdAt, updatedAt, expiresAt, ipAddress, userAgent }) => {
    return { id, createdAt, updatedAt, expiresAt, ipAddress, userAgent, current: id === currentId }
  })
}

/** Secrets, and fields that are useless to a page that is not redirected. */
const leftOut = new Set(['token', 'redirect', 'url'])

function withoutTokens(body: string): unknown {
  if (body === '') return null
  return JSON.parse(body, (key, value) => (leftOut.has(key) ? undefined : value))
}

function parseError(body: string): { code?: string } {
  try {
    const { code } = JSON.parse(body) as { code?: unknown }
    return typeof code === 'string' ? { code } : {}
  } catch {
    return {}
  }
}
