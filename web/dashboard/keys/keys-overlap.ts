// In charge of when a key that is rolled ends.

const hourMs = 3_600_000

/** After the overlap, and never later than it would have by itself. */
export function overlapEnd(hours: number, nowMs: number, expiresAt: string | null): string {
  const end = new Date(nowMs + hours * hourMs).toISOString()
  return expiresAt !== null && expiresAt < end ? expiresAt : end
}
