// Tracks the health of an endpoint by the results of its attempts: up, down (since when, and when it is probed
// next), or to be disabled.
import type { Clock } from '../../clock.ts'
import { disabledAfterMs, failuresUntilDown, probeDelayMs, type Random } from '../retry-schedule.ts'
import type { ClaimedEndpoint, Released } from './claims.ts'

type HealthColumns = Pick<
  Released,
  'last_success_at' | 'last_failure_at' | 'consecutive_failures' | 'failing_since' | 'probe_at' | 'notice'
>

const goneStatus = 410

export class EndpointHealth {
  readonly #clock: Clock
  readonly #random: Random
  #columns: HealthColumns
  #upSince: string | undefined

  constructor(endpoint: ClaimedEndpoint, { clock, random }: { clock: Clock; random: Random }) {
    this.#clock = clock
    this.#random = random
    const { last_success_at, last_failure_at, consecutive_failures, failing_since, probe_at } = endpoint
    this.#columns = {
      last_success_at,
      last_failure_at,
      consecutive_failures,
      failing_since,
      probe_at,
      notice: null,
    }
  }

  get columns(): HealthColumns {
    return this.#columns
  }

  get isDown(): boolean {
    return this.#columns.consecutive_failures >= failuresUntilDown
  }

  /** When an endpoint that is down is probed next; empty if it is not down. */
  get probeAt(): string {
    return this.#columns.probe_at ?? ''
  }

  get isDisabled(): boolean {
    return this.#columns.notice !== null
  }

  get lastSuccessAt(): string | null {
    return this.#columns.last_success_at
  }

  /** Set if the endpoint was down and has come up again: the time since which it had been failing. */
  get upSince(): string | undefined {
    return this.#upSince
  }

  /** Notes the result of an attempt, and returns whether it succeeded. Ignores failed tests, except for a 410. */
  note(status: number | undefined, at: string, isTest: boolean): boolean {
    const isDelivered = status !== undefined && status >= 200 && status < 300
    if (isDelivered) this.#succeed(at)
    else if (!isTest) this.#fail(at)
    if (status === goneStatus) this.#columns = { ...this.#columns, notice: 'gone' }
    return isDelivered
  }

  #succeed(at: string): void {
    if (this.isDown) this.#upSince = this.#columns.failing_since ?? undefined
    this.#columns = {
      ...this.#columns,
      last_success_at: at,
      consecutive_failures: 0,
      failing_since: null,
      probe_at: null,
    }
  }

  #fail(at: string): void {
    const failing_since = this.#columns.failing_since ?? at
    const consecutive_failures = this.#columns.consecutive_failures + 1
    const nowMs = this.#clock.nowMs()
    const isDown = consecutive_failures >= failuresUntilDown
    const isHopeless = nowMs - Date.parse(failing_since) >= disabledAfterMs
    const probeMs = probeDelayMs(consecutive_failures, this.#random)
    this.#columns = {
      ...this.#columns,
      last_failure_at: at,
      consecutive_failures,
      failing_since,
      probe_at: isDown ? new Date(nowMs + probeMs).toISOString() : null,
      notice: isHopeless ? 'failing' : this.#columns.notice,
    }
  }
}
