// In charge of following the change feed of a service for as long as it takes: batch after batch, for free while nothing
// happens, and with patience where the service is away or asks to wait.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../../clock.ts'
import { askChanges, type Feed, type FeedAnswer, type FeedChange, type Place } from './ask-changes.ts'

export interface Batch {
  readonly changes: readonly FeedChange[]
  /** Where to go on after them. */
  readonly cursor: string
}

interface FollowParts {
  readonly clock: Clock
  readonly tell: (text: string) => void
  readonly signal: AbortSignal
}

const firstDelayMs = 500
const delayMaxMs = 30_000
/** A service that does not wait for changes must not be asked without end. */
const idleMinMs = 1_000
/** A shorter wait is not worth a word. */
const untoldMaxMs = 2_000

/** The first batch comes at once, though it may be empty. */
export async function* followChanges(feed: Feed, since: string, parts: FollowParts): AsyncGenerator<Batch> {
  let place: Place = { cursor: since, isEnd: false }
  let isFirst = true
  for (;;) {
    const askedMs = performance.now()
    const answer = await askWithPatience(feed, place, parts)
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

type Told = Exclude<FeedAnswer, { kind: 'later' }>

/** Says once that it waits, and once that it need not any more. */
async function askWithPatience(
  feed: Feed,
  place: Place,
  { clock, tell, signal }: FollowParts,
): Promise<Told> {
  let told: string | undefined
  for (let delayMs = firstDelayMs; ; delayMs = Math.min(delayMs * 2, delayMaxMs)) {
    const answer = await askChanges(feed, place, signal)
    if (answer.kind !== 'later') {
      if (told !== undefined) tell(`${feed.api} answers again.`)
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
