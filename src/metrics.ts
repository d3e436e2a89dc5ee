// Creates the metrics: one registry per process, with every name in one place.
// Code that counts takes the metric it needs; only http/ renders them.
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from '@prometheus-io/client'
import type { CacheBudget } from './cache-budget.ts'
import { RequestDurations } from './request-durations.ts'

/** Why a connection was refused or cut. */
const connectionCuts = ['address_share', 'full', 'idle', 'slow_reader', 'unread_bytes'] as const
export type ConnectionCut = (typeof connectionCuts)[number]

/** Default metrics that go through all connections: with 10,000 of them, each reading would hold up requests for 50 ms. */
const listingMetrics = ['handles', 'requests', 'resources'].flatMap((what) => [
  `nodejs_active_${what}`,
  `nodejs_active_${what}_total`,
])

export type Metrics = ReturnType<typeof createMetrics>

/** See search/index/fair-turns.ts. */
interface SlowWork {
  readonly waiting: number
  readonly done: { readonly jobs: number; readonly ms: number; readonly estimatedMs: number }
}

let processMetrics: Registry | undefined

export function createMetrics() {
  processMetrics ??= collectProcessMetrics()
  const registry = Registry.merge([processMetrics])
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const counter = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    values: readonly string[],
  ) => {
    const counts = new Counter({ name, help, labelNames: [label], registers })
    // Start at zero, so that a rate can be computed from the first increment.
    for (const value of values) counts.labels(value).inc(0)
    return counts
  }
  const quotaRefusals = counter(
    'watchdata_quota_refusals_total',
    'Requests refused with 429, by reason.',
    'reason',
    ['day', 'burst', 'free', 'slow', 'stranger'],
  )
  const webhookDeliveries = counter(
    'watchdata_webhook_deliveries_total',
    'Webhook delivery attempts by outcome.',
    'outcome',
    ['delivered', 'retry', 'failed', 'disabled'],
  )
  const connectionsCut = counter(
    'watchdata_connections_cut_total',
    'Connections by why they were refused (address_share, full) or cut (idle, slow_reader, unread_bytes).',
    'reason',
    connectionCuts,
  )
  const countingMoves = counter(
    'watchdata_counting_moves_total',
    'Moves of the request counts, by where they went: a move to the database means that not every process reaches Redis.',
    'to',
    ['redis', 'database'],
  )
  const countingInRedis = gauge(
    'watchdata_counting_in_redis',
    'Whether requests are counted in Redis (1) or in the database or memory (0).',
  )
  const requests = new RequestDurations()
  registry.registerMetric(requests as unknown as Metric)
  return {
    registry,
    quotaRefusals,
    webhookDeliveries,
    connectionsCut,
    requests,
    /** Shows the connections and what they owe, read whenever the metrics are. */
    watchConnections(open: { readonly count: () => number; readonly owedBytes: () => number }): void {
      new Gauge({
        name: 'watchdata_connections',
        help: 'Open connections.',
        registers,
        collect() {
          this.set(open.count())
        },
      })
      new Gauge({
        name: 'watchdata_unread_bytes',
        help: 'Bytes of responses that clients have not read yet (SEND_MB).',
        registers,
        collect() {
          this.set(open.owedBytes())
        },
      })
    },
    /** Shows the bytes of each cache, read whenever the metrics are. */
    watchCaches(budget: CacheBudget): void {
      gauge('watchdata_cache_max_bytes', 'Bytes that all caches together may take (CACHE_MB).').set(
        budget.maxBytes,
      )
      new Gauge({
        name: 'watchdata_cache_bytes',
        help: 'Bytes in each cache.',
        labelNames: ['cache'],
        registers,
        collect() {
          for (const [cache, bytes] of budget.bytesByName) this.labels(cache).set(bytes)
        },
      })
    },
    /** Shows the slow work of requests, read whenever the metrics are. */
    watchTurns(turns: SlowWork): void {
      const read = (type: typeof Gauge | typeof Counter, name: string, help: string, value: () => number) =>
        new type({
          name,
          help,
          registers,
          collect() {
            this.reset()
            this.inc(value())
          },
        })
      const { done } = turns
      read(Gauge, 'watchdata_slow_requests', 'Requests whose slow work runs or waits.', () => turns.waiting)
      read(Counter, 'watchdata_slow_requests_total', 'Requests whose slow work is done.', () => done.jobs)
      read(
        Counter,
        'watchdata_slow_work_seconds_total',
        'Time taken by slow work of requests.',
        () => done.ms / 1_000,
      )
      read(
        Counter,
        'watchdata_slow_work_estimated_seconds_total',
        'The time it was expected to take at most.',
        () => done.estimatedMs / 1_000,
      )
    },
    /** Shows by how much the machine's clock is off, read whenever the metrics are. */
    watchClock(clock: { readonly offsetMs: number }): void {
      new Gauge({
        name: 'watchdata_clock_offset_seconds',
        help: "By how much the clock of this machine is ahead of the database's, which is used instead.",
        registers,
        collect() {
          this.set(clock.offsetMs / 1_000)
        },
      })
    },
    /** Counts a move of the counts, and shows where they are. */
    noteCountingPlace(place: 'redis' | 'database'): void {
      countingMoves.labels(place).inc()
      countingInRedis.set(place === 'redis' ? 1 : 0)
    },
    /** Shows how far the index is behind, read whenever the metrics are. */
    watchLag(lagMs: () => number | undefined): void {
      new Gauge({
        name: 'watchdata_index_lag_seconds',
        help: 'How long the first change that the index does not have has been known; NaN while the log cannot be read.',
        registers,
        collect() {
          this.set((lagMs() ?? Number.NaN) / 1_000)
        },
      })
    },
    indexWatches: gauge('watchdata_index_watches', 'Watches in the in-memory index.'),
    indexBytes: gauge('watchdata_index_bytes', 'Bytes of serialised watches in the in-memory index.'),
    indexSequence: gauge(
      'watchdata_index_sequence',
      'Sequence of the last change applied to the in-memory index.',
    ),
  }
}

/** Memory, CPU time and event-loop delay. Once per process: the client's timers for them cannot be stopped. */
function collectProcessMetrics(): Registry {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  for (const name of listingMetrics) registry.removeSingleMetric(name)
  return registry
}
