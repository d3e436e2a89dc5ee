// Tracks the health of an endpoint by the results of its attempts: up, down (since when, and when it is probed
// next), or to be disabled.
import type { Clock } from '../../clock.ts'
import type { EndpointRow } from '../endpoints/endpoints.ts'
import { disabledAfterMs, failuresUntilDown, probeDelayMs, type Random } from '../retry-schedule.ts'
import type { Released } from './claims.ts'

const goneStatus = 410

export class EndpointHealth {
  readonly #parts: { readonly clock: Clock; readonly random: Random }
  /** The endpoint as claimed, with the results since. */
  row: Omit<Released, 'hasLeftTests'>
  /** Set if the endpoint was down and has come up again: the time since which it had been failing. */
  upSince: string | undefined

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

  /** Notes the result of an attempt, and returns whether it succeeded. Ignores failed tests, except for a 410. */
  note(status: number | undefined, at: string, isTest: boolean): boolean {
    const isDelivered = status !== undefined && status >= 200 && status < 300
    if (isDelivered) this.#succeed(at)
    else if (!isTest) this.#fail(at)
    if (status === goneStatus) this.row = { ...this.row, notice: 'gone' }
    return isDelivered
  }

  #succeed(at: string): void {
    if (this.isDown) this.upSince = this.row.failing_since ?? undefined
    const up = { consecutive_failures: 0, failing_since: null, probe_at: null }
    this.row = { ...this.row, ...up, last_success_at: at }
  }

  #fail(at: string): void {
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
