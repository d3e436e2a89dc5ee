// Describes a key to its owner: the row without the digest, and the status at a given time.

interface KeyFields {
  readonly id: string
  readonly name: string
  /** The last characters of the key, by which its owner recognises it. */
  readonly hint: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export interface KeyRow extends KeyFields {
  /** 0 or 1. */
  readonly is_test: number
}

export interface KeyInfo extends KeyFields {
  /** Whether the key reads the sample catalogue. */
  readonly is_test: boolean
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked'
}

/** A key is `expiring` this long before its end. As long as the longest overlap, so that a rolled key always is. */
const expiringMs = 7 * 86_400_000

export function withStatus(row: KeyRow, nowMs: number): KeyInfo {
  return { ...row, is_test: row.is_test === 1, status: statusOf(row, nowMs) }
}

/** Whether the key no longer works. */
export function isEnded({ status }: KeyInfo): boolean {
  return status === 'expired' || status === 'revoked'
}

function statusOf({ revoked_at, expires_at }: KeyRow, nowMs: number): KeyInfo['status'] {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  const leftMs = Date.parse(expires_at) - nowMs
  if (leftMs <= 0) return 'expired'
  return leftMs <= expiringMs ? 'expiring' : 'active'
}
