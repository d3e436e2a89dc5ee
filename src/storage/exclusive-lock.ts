// In charge of long work that takes turns over all processes, such as imports: whoever has the turn keeps it until it is
// done or its process ends, however that ends. What a turn is made of is the engine's matter.
import { setTimeout as delay } from 'node:timers/promises'
import { Failure } from '../errors.ts'

/** A turn that was given. */
export interface Turn {
  /** Aborted when the turn was lost, with the connection that held it. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export interface TurnOptions {
  /** Told once, where somebody else has the turn. */
  readonly onWait?: () => void
}

const retryMs = 200
const waitMaxMs = 24 * 3_600_000

/** Waits until `attempt` gives a turn, and gives it back after the work. */
export async function inTurn<T>(
  attempt: () => Promise<Turn | undefined>,
  work: (signal: AbortSignal) => Promise<T>,
  { onWait }: TurnOptions,
): Promise<T> {
  const turn = await waitForTurn(attempt, onWait)
  try {
    return await work(turn.signal)
  } finally {
    await turn.release()
  }
}

async function waitForTurn(attempt: () => Promise<Turn | undefined>, onWait?: () => void): Promise<Turn> {
  for (let waitedMs = 0; waitedMs < waitMaxMs; waitedMs += retryMs) {
    const turn = await attempt()
    if (turn !== undefined) return turn
    if (waitedMs === 0) onWait?.()
    await delay(retryMs)
  }
  throw new Failure('Another process has been at it for a day: look whether it still runs.')
}
