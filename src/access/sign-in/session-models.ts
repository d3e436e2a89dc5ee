// Maps better-auth's models and fields to our tables and columns. An account's plan, role and status are read-only: no
// form sets them.
import type { Account, Role } from '../accounts/accounts.ts'
import type { PlanName } from '../plans/plans.ts'

const times = { createdAt: 'created_at', updatedAt: 'updated_at' } as const
const readOnly = { type: 'string', required: true, input: false } as const

export const userModel = {
  modelName: 'accounts',
  fields: { ...times, emailVerified: 'email_verified' },
  additionalFields: {
    plan: { ...readOnly, defaultValue: 'free' },
    role: { ...readOnly, defaultValue: 'consumer' },
    status: { ...readOnly, defaultValue: 'active' },
  },
} as const

export const sessionModel = {
  modelName: 'sessions',
  fields: {
    ...times,
    userId: 'account_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
  },
} as const

/** better-auth's "account" is our credential: a way for an account to sign in. */
export const credentialModel = {
  modelName: 'credentials',
  fields: { ...times, userId: 'account_id', providerId: 'provider', accountId: 'subject' },
} as const

export const verificationModel = {
  modelName: 'verifications',
  fields: { ...times, expiresAt: 'expires_at' },
} as const

export const twoFactorModels = {
  user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
  twoFactor: {
    modelName: 'two_factors',
    fields: {
      userId: 'account_id',
      backupCodes: 'backup_codes',
      failedVerificationCount: 'failed_count',
      lockedUntil: 'locked_until',
    },
  },
} as const

/** The signed-in user, as stored at this moment. */
export interface SignedIn extends Pick<Account, 'email' | 'name' | 'role' | 'plan'> {
  readonly accountId: string
  readonly sessionId: string
  readonly emailVerified: boolean
  readonly hasSecondFactor: boolean
}

/** Reads the fields of `userModel` as better-auth returns them. */
export function readSignedIn(sessionId: string, user: Readonly<Record<string, unknown>>): SignedIn {
  return {
    accountId: String(user.id),
    sessionId,
    email: String(user.email),
    name: String(user.name),
    role: user.role as Role,
    plan: user.plan as PlanName,
    emailVerified: user.emailVerified === true,
    hasSecondFactor: user.twoFactorEnabled === true,
  }
}
