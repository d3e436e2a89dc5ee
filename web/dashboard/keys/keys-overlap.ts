// Computes when a rolled key expires.

const hourMs = 3_600_000

/** The end of the overlap, or the key's own expiry if that is earlier. */
export function overlapEnd(hours: number, nowMs: number, expiresAt: string | null): string {
  const end = new Date(nowMs + hours * hourMs).toISOString()
  return expiresAt !== null && expiresAt < end ? expiresAt : end
}
