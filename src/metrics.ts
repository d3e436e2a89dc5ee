// Creates the metrics: one registry per process, with every name in one place.
// Code that counts takes the metric it needs; only http/ renders them.
import { Counter, collectDefaultMetrics, Gauge, type Metric, Registry } from '@prometheus-io/client'
import { RequestDurations } from './request-durations.ts'

export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  const registers = [registry]
  // Process memory, CPU and the event-loop delay (nodejs_eventloop_lag_seconds and its percentiles).
  collectDefaultMetrics({ register: registry })
  const quotaRefusals = new Counter({
    name: 'watchdata_quota_refusals_total',
    help: 'Requests refused with 429, by reason.',
    labelNames: ['reason'] as const,
    registers,
  })
  const webhookDeliveries = new Counter({
    name: 'watchdata_webhook_deliveries_total',
    help: 'Webhook delivery attempts by outcome.',
    labelNames: ['outcome'] as const,
    registers,
  })
  const requests = new RequestDurations()
  registry.registerMetric(requests as unknown as Metric)
  // Start at zero, so that a rate can be computed from the first increment.
  for (const reason of ['day', 'burst']) quotaRefusals.inc({ reason }, 0)
  for (const outcome of ['delivered', 'retry', 'failed', 'disabled']) webhookDeliveries.inc({ outcome }, 0)
  return {
    registry,
    quotaRefusals,
    webhookDeliveries,
    requests,
    indexWatches: new Gauge({
      name: 'watchdata_index_watches',
      help: 'Watches in the in-memory index.',
      registers,
    }),
    indexBytes: new Gauge({
      name: 'watchdata_index_bytes',
      help: 'Bytes of serialised watches in the in-memory index.',
      registers,
    }),
    indexSequence: new Gauge({
      name: 'watchdata_index_sequence',
      help: 'Sequence of the last change applied to the in-memory index.',
      registers,
    }),
  }
}
