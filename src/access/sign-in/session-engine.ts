// Configures better-auth and wraps the few calls that the service makes to it. better-auth is loaded with the first
// request that needs it, because loading it takes longer than the whole rest of a start.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { Database } from '../../storage/database.ts'
import { hashMailbox } from '../accounts/deleted-counts.ts'
import { type Passwords, passwordMaxLength, passwordMinLength } from './passwords.ts'
import { aliasOf } from './session-addresses.ts'
import { takeCode } from './session-codes.ts'
import { cookieOptions } from './session-cookies.ts'
import { authPath } from './session-forms.ts'
import {
  credentialModel,
  readSignedIn,
  type SignedIn,
  sessionModel,
  twoFactorModels,
  userModel,
  verificationModel,
} from './session-models.ts'
import { lockedSeconds } from './session-responses.ts'
import { deleteVerifications, findState, markVerified, openStore } from './session-store.ts'
import { Visits } from './session-visits.ts'

export interface EngineParts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  /** The public origin of the service, without a path. */
  readonly origin: string
  readonly secret: string
  /** Whether an email must be confirmed before its account can sign in. */
  readonly mustVerify: boolean
  readonly passwords: Passwords
  /** The callbacks run once the request has ended, when its writes can be read. */
  readonly onUnverified: (email: string) => void
  readonly onTaken: (email: string) => void
  readonly onSession: (accountId: string) => void
}

export type Engine = Awaited<ReturnType<typeof loadEngine>>

/** The header in which better-auth finds the client's address; clients cannot send it. */
export const addressHeader = 'x-watchdata-address'

const daySeconds = 86_400
const sessionSeconds = 30 * daySeconds
const renewedAfterSeconds = daySeconds
const tokenBytes = 24

export async function loadEngine(parts: EngineParts) {
  const visits = new Visits()
  const auth = await setUp(parts, visits)
  const { createEmailVerificationToken } = await import('better-auth/api')
  const { internalAdapter, secret } = await auth.$context

  return {
    /** `hashed` is the hash of the new password in the request, computed before any transaction began. */
    handle: (request: Request, hashed?: string): Promise<Response> =>
      visits.run(() => auth.handler(request), hashed),
    async findSession(headers: Headers): Promise<SignedIn | undefined> {
      // Not renewed here: there is no response to carry the renewed cookie.
      const found = await visits.run(() => auth.api.getSession({ headers, query: { disableRefresh: true } }))
      return found === null ? undefined : readSignedIn(found.session.id, found.user)
    },
    /** Creates a single-use token to choose a password. */
    async makeResetToken(accountId: string, lifeMs: number): Promise<string> {
      const token = randomBytes(tokenBytes).toString('base64url')
      const expiresAt = new Date(parts.clock.nowMs() + lifeMs)
      const link = { identifier: `reset-password:${token}`, value: accountId, expiresAt }
      await visits.run(() => internalAdapter.createVerificationValue(link))
      return token
    },
    async isResetToken(token: string): Promise<boolean> {
      const link = await visits.run(() => internalAdapter.findVerificationValue(`reset-password:${token}`))
      return link !== null && link.expiresAt.getTime() > parts.clock.nowMs()
    },
    makeVerificationToken: (email: string, lifeMs: number): Promise<string> =>
      createEmailVerificationToken(secret, aliasOf(email), undefined, lifeMs / 1_000),
  }
}

async function setUp(parts: EngineParts, visits: Visits) {
  const { database, clock, log, origin, secret, mustVerify, passwords } = parts
  const [{ betterAuth }, { twoFactor }, api] = await Promise.all([
    import('better-auth/minimal'),
    import('better-auth/plugins/two-factor'),
    import('better-auth/api'),
  ])
  const { APIError, isAPIError, createAuthMiddleware, getSessionFromCtx } = api
  const onError = (error: unknown) => {
    // better-auth's own errors pass through transactions too; they are responses, not failures.
    if (!isAPIError(error)) visits.noteFailure(error)
  }
  return betterAuth({
    appName: 'watchdata',
    baseURL: origin,
    basePath: authPath,
    // A list, because an environment variable would override a single secret.
    secrets: [{ version: 1, value: secret }],
    database: await openStore({
      database,
      clock,
      onError,
      mailboxOf: (email) => hashMailbox(secret, email),
    }),
    telemetry: { enabled: false },
    rateLimit: { enabled: false },
    // The service itself logs errors and responds to them.
    onAPIError: { throw: true },
    logger: {
      level: 'info',
      disableColors: true,
      log: (level, message, ...details) =>
        log[level === 'error' ? 'warn' : 'debug'](
          details.length === 0 ? {} : { details },
          `better-auth: ${message}`,
        ),
    },
    user: userModel,
    session: {
      ...sessionModel,
      expiresIn: sessionSeconds,
      updateAge: renewedAfterSeconds,
      freshAge: 0,
      cookieCache: { enabled: false },
    },
    account: { ...credentialModel, accountLinking: { enabled: false } },
    verification: { ...verificationModel, storeIdentifier: 'hashed' },
    emailAndPassword: {
      enabled: true,
      requireEmailVerification: mustVerify,
      minPasswordLength: passwordMinLength,
      maxPasswordLength: passwordMaxLength,
      revokeSessionsOnPasswordReset: true,
      onExistingUserSignUp: ({ user }) => visits.afterwards(() => parts.onTaken(user.email)),
      // The link came by email or from the operator: either way the address belongs to the account's owner.
      onPasswordReset: ({ user }) =>
        database.write(async (tx) => {
          await markVerified(tx, user.id)
          await deleteVerifications(tx, user.id)
        }),
      password: {
        hash: async (password) => visits.hashed ?? passwords.hash(password),
        verify: ({ hash, password }) => passwords.verify(hash, password),
      },
    },
    emailVerification: {
      sendOnSignUp: mustVerify,
      sendOnSignIn: mustVerify,
      // The link proves access to the mailbox, but neither the password nor the second factor.
      autoSignInAfterVerification: false,
      sendVerificationEmail: ({ user }) => visits.afterwards(() => parts.onUnverified(user.email)),
    },
    hooks: {
      before: createAuthMiddleware(async (ctx) => {
        if (ctx.path !== '/two-factor/verify-totp') return
        const { createAuthCookie, internalAdapter, secret: key } = ctx.context
        const step = await ctx.getSignedCookie(createAuthCookie('two_factor').name, key)
        // Finds the account as better-auth does: by the session, or by the earlier step with the password.
        const accountId =
          (await getSessionFromCtx(ctx))?.user.id ??
          (step && (await internalAdapter.findVerificationValue(step))?.value)
        if (!accountId || (await takeCode(database, clock, accountId, String(ctx.body?.code)))) return
        throw new APIError('UNAUTHORIZED', { code: 'CODE_TAKEN', message: 'taken' })
      }),
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userId }) => {
            if ((await findState(database.reader, userId))?.status !== 'suspended') return
            throw new APIError('FORBIDDEN', { code: 'ACCOUNT_SUSPENDED', message: 'suspended' })
          },
          after: ({ userId }) => visits.afterwards(() => parts.onSession(userId)),
        },
      },
      account: {
        update: {
          // After a reset this gets only the number of rows; `onPasswordReset` handles that case.
          after: async (credential) => {
            const userId = credential?.userId
            if (userId !== undefined) await database.write((tx) => deleteVerifications(tx, userId))
          },
        },
      },
    },
    advanced: {
      ...cookieOptions(origin),
      // SQL joins stay off, because they name columns that our tables do not have: better-auth reads joined models with a
      // second query.
      database: { generateId: 'uuid' },
      ipAddress: { ipAddressHeaders: [addressHeader] },
      disableOriginCheck: false,
      disableCSRFCheck: false,
    },
    plugins: [
      twoFactor({
        issuer: 'watchdata',
        schema: twoFactorModels,
        accountLockout: { durationSeconds: lockedSeconds },
      }),
    ],
  })
}
