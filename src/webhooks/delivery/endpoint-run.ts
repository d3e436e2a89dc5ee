// Sends the due deliveries of one claimed endpoint: several watches in parallel, the events of each in order. A failed
// event holds back the later events of its watch, and nothing else. An endpoint that fails repeatedly is down, and gets
// one event at a time until one succeeds.
import type { Clock } from '../../clock.ts'
import type { Semaphore } from '../../semaphore.ts'
import type { Reader } from '../../storage/database.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { eventBody } from '../fan-out/event-body.ts'
import type { PostOutcome } from '../outbound/post.ts'
import type { Random } from '../retry-schedule.ts'
import { signatureHeaders } from '../sign.ts'
import type { Released } from './claims.ts'
import { EndpointHealth } from './endpoint-health.ts'
import type { EventCache, SentEvent } from './event-cache.ts'
import { type FirstPages, type Page, readPage, type Waiting } from './queue.ts'
import type { Recorder, RunEnd } from './recorder.ts'
import { type AttemptResult, judge } from './retry-decision.ts'

export interface RunParts {
  readonly clock: Clock
  readonly random: Random
  readonly reader: Reader
  readonly events: EventCache
  readonly recorder: Recorder
  /** The semaphore for posts in flight. Slow endpoints have one of their own, with fewer permits. */
  readonly semaphoreFor: (isSlow: boolean) => Semaphore
  /** Returns undefined if the service is stopping: then the post does not count as an attempt. */
  readonly post: (
    url: string,
    signature: Record<string, string>,
    body: string,
  ) => Promise<PostOutcome | undefined>
  /** Whether the owner has changed or deleted the endpoint since it was claimed. */
  readonly isChanged: (endpoint: EndpointRow) => Promise<boolean>
  readonly isStopping: () => boolean
  readonly onOutcome: (outcome: Outcome) => void
}

export type Outcome = 'delivered' | 'retry' | 'failed' | 'disabled'

/** What happens to the next event of the subject: sent at once, held behind this one, or left to the next run. */
type Way = 'free' | 'held' | 'left'

/** Subjects of one endpoint that are sent in parallel: one at first, more while the endpoint responds quickly. */
const lanesMax = 8
const quickMs = 1_000
/** An endpoint that takes longer to respond counts as slow, and must not use up the permits of fast endpoints. */
const slowMs = 2_000
/** After this time no further post begins: the next run finds what has become due meanwhile. */
const runMaxMs = 20_000
/** No post begins this long before the claim expires, because the clocks of two senders may differ a little. */
const fenceMs = 500
/** Pages that are searched for an event to probe with. */
const probedPagesMax = 50

export class EndpointRun {
  readonly endpoint: EndpointRow
  readonly #parts: RunParts
  readonly #secrets: readonly string[]
  readonly #health: EndpointHealth
  readonly #untilMs = performance.now() + runMaxMs
  /** Subjects whose first event waits: because it failed, or for another reason that passes by itself. */
  readonly #blocked = new Map<string, 'failed' | 'early'>()
  readonly #behind: number[] = []
  /** The earliest next attempt among the deliveries that wait for their time. */
  #next: string | undefined
  /** Whether deliveries remain that could be sent at once. */
  #hasLeft = false
  #lanes = 1
  isSlow: boolean
  #isEnded = false
  #heldUntilMs: number

  constructor(parts: RunParts, endpoint: EndpointRow, secrets: readonly string[], isSlow: boolean) {
    this.endpoint = endpoint
    this.#parts = parts
    this.#secrets = secrets
    this.#health = new EndpointHealth(endpoint, parts)
    this.isSlow = isSlow || endpoint.consecutive_failures > 0
    this.#heldUntilMs = Date.parse(endpoint.claimed_until ?? '')
  }

  /** Begins no further posts: the owner has changed the endpoint. */
  end(): void {
    this.#isEnded = true
  }

  /** The claim was renewed until then. */
  hold(untilMs: number): void {
    this.#heldUntilMs = untilMs
  }

  /** Begins no further posts, not even tests: another sender has the claim, or the endpoint was deleted. */
  lose(): void {
    this.#heldUntilMs = Number.NEGATIVE_INFINITY
  }

  /** Whether the claim is valid. While it is not, no post begins: another sender may have taken over. */
  get isHeld(): boolean {
    return this.#parts.clock.nowMs() < this.#heldUntilMs - fenceMs
  }

  async run({ tests, page }: FirstPages): Promise<RunEnd> {
    // Tests are sent whatever the status of the endpoint: someone is waiting for the result.
    await this.#sendLanes(tests.map((row) => [row]))
    const hasLeftTests = this.#hasLeft
    if (this.endpoint.status === 'active') {
      const pages = this.#pages(page)
      if (this.#health.isDown) await this.#probe(pages)
      else await this.#sendAll(pages)
    }
    const { outage } = this.#health
    // The next run sends what failed in the outage, and the rest, in order.
    if (outage !== undefined) this.#hasLeft = true
    return { released: this.#release(hasLeftTests), behind: this.#behind, outage }
  }

  async #sendAll(pages: AsyncIterable<Page>): Promise<void> {
    for await (const { rows, isLast } of pages) {
      await this.#sendLanes(this.#plan(rows))
      if (!isLast && (!this.#mayGoOn() || (await this.#parts.isChanged(this.endpoint)))) {
        this.#hasLeft = true
        return
      }
    }
  }

  /** Sends one event to see whether an endpoint that was down is up; the next run sends the rest. */
  async #probe(pages: AsyncIterable<Page>): Promise<void> {
    if (this.#health.probeAt > this.#now()) {
      this.#hasLeft = true
      return
    }
    const candidate = await this.#findCandidate(pages)
    if (candidate === undefined) return
    await this.#send(candidate, [])
    this.#hasLeft = true
  }

  /** Prefers an event that was not tried yet: one that was refused before may be refused for its content. */
  async #findCandidate(pages: AsyncIterable<Page>): Promise<Waiting | undefined> {
    let best: Waiting | undefined
    let searched = 0
    for await (const { rows } of pages) {
      for (const [head] of this.#plan(rows)) {
        if (head !== undefined && (best === undefined || isBetter(head, best))) best = head
      }
      if (best?.tries === 0 || ++searched === probedPagesMax) break
    }
    return best
  }

  /** Reads a page only when the caller asks for it, so after the caller is done with the previous page. */
  async *#pages(first: Page | undefined): AsyncGenerator<Page> {
    const { reader } = this.#parts
    const { id } = this.endpoint
    for (let page = first ?? (await readPage(reader, id, 0)); ; ) {
      yield page
      const last = page.rows.at(-1)
      if (page.isLast || last === undefined) return
      page = await readPage(reader, id, last.event_id)
    }
  }

  #mayGoOn(): boolean {
    const isCut = this.#isEnded || this.#parts.isStopping() || performance.now() > this.#untilMs
    const { isDisabled, isDown, outage } = this.#health
    return !isCut && this.isHeld && !isDisabled && !isDown && outage === undefined
  }

  /** Groups the due deliveries by subject, and notes which ones have to wait. */
  #plan(rows: readonly Waiting[]): Waiting[][] {
    const now = this.#now()
    const lanes = new Map<string, Waiting[]>()
    for (const row of rows) {
      const block = this.#blocked.get(row.subject)
      const lane = lanes.get(row.subject)
      if (block === 'failed') this.#behind.push(row.event_id)
      else if (block === 'early') continue
      else if (lane !== undefined) lane.push(row)
      else if (row.next_attempt_at <= now) lanes.set(row.subject, [row])
      else this.#wait(row, row.next_attempt_at, row.attempts > 0 ? 'failed' : 'early')
    }
    return [...lanes.values()]
  }

  /** Sends as many lanes in parallel as the endpoint has shown that it can handle. */
  async #sendLanes(lanes: readonly (readonly Waiting[])[]): Promise<void> {
    const waiting = lanes.values()
    const workers: Promise<void>[] = []
    let busy = 0
    const widen = () => {
      while (busy < this.#lanes && workers.length < lanes.length) {
        busy++
        workers.push(work())
      }
    }
    const work = async () => {
      for (const lane of waiting) {
        await this.#sendLane(lane)
        // A failure has reduced the number of lanes.
        if (busy > this.#lanes) break
        widen()
      }
      busy--
    }
    widen()
    // The array may grow while its workers are awaited.
    for (const worker of workers) await worker
  }

  async #sendLane(lane: readonly Waiting[]): Promise<void> {
    const ids = lane.map(({ event_id }) => event_id)
    for (const [at, row] of lane.entries()) {
      const ahead = ids.slice(at + 1)
      const way = await this.#send(row, ahead)
      if (way === 'held') this.#behind.push(...ahead)
      if (way !== 'free') return
    }
  }

  /** Returns what happens to the next event of the same subject. */
  async #send(row: Waiting, ahead: readonly number[]): Promise<Way> {
    const { events, semaphoreFor } = this.#parts
    // `find` does not wait: the event is often cached, because it was just sent to another endpoint.
    const event = events.find(row.event_id) ?? (await events.read(row.event_id, ahead))
    // The event was too old, and was removed a moment ago with its delivery.
    if (event === undefined) return 'free'
    return semaphoreFor(this.isSlow).run(() => this.#post(row, event))
  }

  async #post(row: Waiting, event: SentEvent): Promise<Way> {
    // Checked only now, because the wait for a permit may have been long.
    if (!this.#maySend(row)) return this.#leave()
    const sentAt = this.#parts.clock.now()
    const begun = this.#health.begin()
    const body = eventBody(event, row.previous_sequence)
    const signed = signatureHeaders(event.message_id, sentAt, body, this.#secrets)
    const outcome = await this.#parts.post(this.endpoint.endpoint_url, signed, body)
    if (outcome === undefined) return this.#leave()
    const at = sentAt.toISOString()
    const isDelivered = this.#health.note(begun, outcome.status, at, row.previous_sequence === null)
    this.#pace(outcome.durationMs, isDelivered)
    return this.#judge(row, event, { at, isDelivered }, outcome)
  }

  /** A probe is sent although the endpoint is down, and a test whatever the status of the endpoint. */
  #maySend({ previous_sequence }: Waiting): boolean {
    const isTest = previous_sequence === null
    const isProbe = this.#health.isDown && this.#health.probeAt <= this.#now()
    if (!isTest && !isProbe) return this.#mayGoOn()
    return this.isHeld && !this.#parts.isStopping() && !this.#health.isDisabled
  }

  #leave(): Way {
    this.#hasLeft = true
    return 'left'
  }

  #pace(durationMs: number, isDelivered: boolean): void {
    if (durationMs > slowMs) this.isSlow = true
    this.#lanes = isDelivered && durationMs <= quickMs ? Math.min(2 * this.#lanes, lanesMax) : 1
  }

  #judge(row: Waiting, event: SentEvent, result: AttemptResult, outcome: PostOutcome): Way {
    const { at } = result
    const verdict = judge(row, event, result, this.#health, this.#parts.random)
    const { endpoint_id, event_id, subject } = row
    this.#parts.recorder.add({
      ...verdict,
      claim: this.endpoint.claimed_by,
      endpoint_id,
      event_id,
      subject,
      attempt: row.attempts + 1,
      at,
      endpoint_url: this.endpoint.endpoint_url,
      duration_ms: Math.round(outcome.durationMs),
      response_status: outcome.status ?? null,
      response_body: outcome.body ?? null,
      error: outcome.error ?? null,
    })
    const { status, next_attempt_at, releasesHeld } = verdict
    this.#parts.onOutcome(status === 'waiting' ? 'retry' : status)
    if (next_attempt_at !== null) {
      this.#wait(row, next_attempt_at, 'failed')
      return 'held'
    }
    if (!releasesHeld) return 'free'
    // Deliveries held behind this one precede those that were read with it: the next run reads all of them in order.
    this.#blocked.set(subject, 'early')
    return this.#leave()
  }

  #wait({ subject }: Waiting, until: string, why: 'failed' | 'early'): void {
    this.#blocked.set(subject, why)
    if (this.#next === undefined || until < this.#next) this.#next = until
  }

  #release(hasLeftTests: boolean): Released {
    if (this.#health.isDisabled) this.#parts.onOutcome('disabled')
    return { ...this.#health.row, due_at: this.#dueAt(), hasLeftTests }
  }

  #dueAt(): string | null {
    const next = this.#hasLeft ? this.#now() : (this.#next ?? null)
    const { isDown, probeAt } = this.#health
    return isDown && next !== null && probeAt > next ? probeAt : next
  }

  #now(): string {
    return this.#parts.clock.now().toISOString()
  }
}

function isBetter(one: Waiting, other: Waiting): boolean {
  if (one.tries !== other.tries) return one.tries < other.tries
  return one.next_attempt_at < other.next_attempt_at
}
