// Verifies the identity of a signed-in user again before an action that cannot be undone: by the password and, if there
// is a second factor, by one of its codes.
import { invalid } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { type Attempts, addressSubject } from '../plans/attempt-limits.ts'
import type { Passwords } from './passwords.ts'
import { addressHeader } from './session-engine.ts'
import { forms, parseFields, type Values } from './session-forms.ts'
import type { SignedIn } from './session-models.ts'

export interface ConfirmParts {
  readonly reader: Reader
  readonly passwords: Passwords
  readonly attempts: Attempts
  /** Submits a form on behalf of the sender of the headers. */
  readonly submit: (path: keyof typeof forms, headers: Headers, values: Values) => Promise<Response>
}

/** The same fields as when signing in. */
const { password } = forms['/sign-in/email'].fields
const { code } = forms['/two-factor/verify-totp'].fields
const perAddressMax = 10
const perAccountMax = 5
const totpShape = /^\d{6}$/

/** Throws a Problem that names the wrong field, or says how long to wait after too many attempts. */
export async function confirm(
  { reader, passwords, attempts, submit }: ConfirmParts,
  { accountId, hasSecondFactor }: Pick<SignedIn, 'accountId' | 'hasSecondFactor'>,
  headers: Headers,
  body: unknown,
): Promise<void> {
  await attempts.admit(`confirm ${addressSubject(headers.get(addressHeader) ?? '')}`, perAddressMax)
  await attempts.admit(`confirm ${accountId}`, perAccountMax)
  const values = parseFields({ fields: hasSecondFactor ? { password, code } : { password } }, body)
  const credential = await reader
    .selectFrom('credentials')
    .select('password')
    .where('account_id', '=', accountId)
    .where('provider', '=', 'credential')
    .executeTakeFirst()
  // An account without a password matches none.
  const isRight = await passwords.verify(credential?.password ?? '', String(values.password))
  if (!isRight) throw invalid('password', 'The password is wrong.')
  if (!hasSecondFactor) return
  const isTotp = totpShape.test(String(values.code))
  const path = isTotp ? '/two-factor/verify-totp' : '/two-factor/verify-backup-code'
  const answer = await submit(path, headers, { code: values.code })
  if (!answer.ok) throw invalid('code', ((await answer.json()) as { message: string }).message)
}
