// In charge of what is told of a key: its row without the digest, and how it stands at a given time.

export interface KeyRow {
  readonly id: string
  readonly name: string
  /** The last characters, by which its owner tells it from others. */
  readonly hint: string
  readonly created_at: string
  readonly last_used_at: string | null
  readonly expires_at: string | null
  readonly revoked_at: string | null
}

export interface KeyInfo extends KeyRow {
  readonly status: 'active' | 'expiring' | 'expired' | 'revoked'
}

/** So long before its end a key shows it; as long as the longest overlap, so that one that was rolled always does. */
const expiringMs = 7 * 86_400_000

export function withStatus(row: KeyRow, nowMs: number): KeyInfo {
  return { ...row, status: statusOf(row, nowMs) }
}

/** Whether it is good for nothing any more. */
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
