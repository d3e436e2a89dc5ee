// Decides, from what the processes agree on and what each of them sees, what has to change: a pure function, so that every
// process decides the same.

/** Where all processes count. */
export interface Agreed {
  /** Rises with every change of the place. */
  readonly generation: number
  /** The Redis in which all count; undefined for the database. */
  readonly redisId: string | undefined
  /** Whether every process has joined this generation. Until then nobody counts. */
  readonly isSettled: boolean
  /** How long ago the generation began. */
  readonly ageMs: number
}

/** A process that is alive. */
export interface Live {
  readonly id: string
  /** The Redis that it can reach. */
  readonly redisId: string | undefined
  /** The last generation that it has joined: it has written all that it counted before, and counts nothing any more. */
  readonly generation: number
}

export type Step =
  | { readonly kind: 'move'; readonly generation: number; readonly redisId: string | undefined }
  | { readonly kind: 'settle' }

/** Redis must be reachable for this long before it is used again: one that comes and goes would only cause stalls. */
const calmMs = 1_000

/** Undefined if nothing has to change. */
export function nextStep(agreed: Agreed, live: readonly Live[]): Step | undefined {
  const { generation, redisId, isSettled, ageMs } = agreed
  const seen = live[0]?.redisId
  const isSame = live.length > 0 && live.every((one) => one.redisId === seen)
  const move = (to: string | undefined) =>
    ({ kind: 'move', generation: generation + 1, redisId: to }) as const
  // Two processes that reach different servers, or one that reaches none: only the database is the same for all.
  if (redisId !== undefined && !(isSame && seen === redisId)) return move(undefined)
  if (!isSettled) return live.every((one) => one.generation >= generation) ? { kind: 'settle' } : undefined
  if (redisId === undefined && isSame && seen !== undefined && ageMs >= calmMs) return move(seen)
  return undefined
}
