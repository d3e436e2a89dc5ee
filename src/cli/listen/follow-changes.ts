// Follows the change feed of a service, batch after batch, until it is aborted. It costs no quota while nothing
// changes, and retries with a growing delay while the service is unreachable or asks to wait.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { type Feed, type FeedChange, type FeedResult, type Place, requestChanges } from './ask-changes.ts'

export interface Batch {
  readonly changes: readonly FeedChange[]
  /** The cursor after these changes. */
  readonly cursor: string
}

interface FollowParts {
  readonly clock: Clock
  readonly tell: (text: string) => void
  readonly signal: AbortSignal
}

const firstDelayMs = 500
const delayMaxMs = 30_000
/** The minimum time between requests without changes, for a service that responds at once instead of waiting. */
const idleMinMs = 1_000
/** For waits up to this long, the message does not name the time of the retry. */
const untoldMaxMs = 2_000

/** The first batch is yielded at once, even if it is empty. */
export async function* followChanges(feed: Feed, since: string, parts: FollowParts): AsyncGenerator<Batch> {
  let place: Place = { cursor: since, isEnd: false }
  let isFirst = true
  for (;;) {
    const askedMs = performance.now()
    const answer = await requestWithRetry(feed, place, parts)
    if (answer.kind === 'batch') {
      place = answer.place
      const isNews = isFirst || answer.changes.length > 0
      isFirst = false
      if (isNews) yield { changes: answer.changes, cursor: place.cursor }
      if (isNews || !place.isEnd) continue
    }
    const idleMs = performance.now() - askedMs
    if (idleMs < idleMinMs) await sleep(idleMinMs - idleMs, undefined, { signal: parts.signal })
  }
}

type Told = Exclude<FeedResult, { kind: 'later' }>

/** Retries until the service responds. Reports each new reason for waiting once, and when the service is back. */
async function requestWithRetry(
  feed: Feed,
  place: Place,
  { clock, tell, signal }: FollowParts,
): Promise<Told> {
  let told: string | undefined
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMaxMs)) {
    const answer = await requestChanges(feed, place, signal)
    if (answer.kind !== 'later') {
      if (told !== undefined) tell(`${feed.api} responds again.`)
      return answer
    }
    const waitMs = Math.max(delayMs, answer.afterMs ?? 0)
    if (answer.why !== told) tell(`${answer.why}: ${whenAgain(clock, waitMs)}.`)
    told = answer.why
    await sleep(waitMs, undefined, { signal })
  }
}

function whenAgain(clock: Clock, waitMs: number): string {
  if (waitMs <= untoldMaxMs) return 'trying again'
  const until = new Date(clock.nowMs() + waitMs)
  return `trying again at ${until.toTimeString().slice(0, 8)}`
}
