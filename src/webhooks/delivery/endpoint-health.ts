// Tracks the health of an endpoint by the results of its attempts: up, down (since when, and when it is probed
// next), or to be disabled.
import type { Clock } from '../../clock.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import {
  disabledAfterMs,
  failuresUntilDown,
  probeDelayMs,
  type Random,
  triesWithin,
} from '../retry-schedule.ts'
import type { Released } from './claims.ts'

/** A time in which an endpoint accepted nothing, long enough for an event to fail twice. */
export interface Outage {
  readonly since: string
  /** Events that failed in it are retried at once, but not those with more tries. */
  readonly triesMax: number
}

const goneStatus = 410

export class EndpointHealth {
  readonly #parts: { readonly clock: Clock; readonly random: Random }
  /** The endpoint as claimed, with the results since. */
  row: Omit<Released, 'hasLeftTests'>
  /** Set if the endpoint accepts events again after an outage. */
  outage: Outage | undefined
  #countedFailures = 0

  constructor(endpoint: EndpointRow, parts: { clock: Clock; random: Random }) {
    this.#parts = parts
    this.row = { ...endpoint, notice: null }
  }

  get isDown(): boolean {
    return this.row.consecutive_failures >= failuresUntilDown
  }

  /** When an endpoint that is down is probed next; empty if it is not down. */
  get probeAt(): string {
    return this.row.probe_at ?? ''
  }

  get isDisabled(): boolean {
    return this.row.notice !== null
  }

  /** Call before an attempt, and pass the result to `note`. */
  begin(): number {
    return this.#countedFailures
  }

  /**
   * Notes the result of an attempt, and returns whether it succeeded. Ignores failed tests, except for a 410. Attempts
   * that were in flight together fail for one reason, so only the first of their failures counts.
   */
  note(begun: number, status: number | undefined, at: string, isTest: boolean): boolean {
    const isDelivered = status !== undefined && status >= 200 && status < 300
    if (isDelivered) this.#succeed(at)
    else if (!isTest && begun === this.#countedFailures) this.#fail(at)
    else if (!isTest) this.row = { ...this.row, last_failure_at: at }
    if (status === goneStatus) this.row = { ...this.row, notice: 'gone' }
    return isDelivered
  }

  #succeed(at: string): void {
    const since = this.row.failing_since
    const triesMax = since === null ? 0 : triesWithin(Date.parse(at) - Date.parse(since))
    if (since !== null && (this.isDown || triesMax > 1)) this.outage = { since, triesMax }
    const up = { consecutive_failures: 0, failing_since: null, probe_at: null }
    this.row = { ...this.row, ...up, last_success_at: at }
  }

  #fail(at: string): void {
    this.#countedFailures++
    const failing_since = this.row.failing_since ?? at
    const consecutive_failures = this.row.consecutive_failures + 1
    const nowMs = this.#parts.clock.nowMs()
    const isDown = consecutive_failures >= failuresUntilDown
    const isHopeless = nowMs - Date.parse(failing_since) >= disabledAfterMs
    const probeMs = probeDelayMs(consecutive_failures, this.#parts.random)
    this.row = {
      ...this.row,
      last_failure_at: at,
      consecutive_failures,
      failing_since,
      probe_at: isDown ? new Date(nowMs + probeMs).toISOString() : null,
      notice: isHopeless ? 'failing' : this.row.notice,
    }
  }
}
