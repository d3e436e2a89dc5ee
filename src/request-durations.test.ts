// Request durations as the metrics registry renders them.
import { Histogram, type Metric, Registry } from '@prometheus-io/client'
import { describe, expect, test } from 'vitest'
import { RequestDurations } from './request-durations.ts'

const labels = { method: 'GET', route: '/api/v1/watches', status: 200 }

async function render(durations: RequestDurations): Promise<string[]> {
  const registry = new Registry()
  registry.registerMetric(durations as unknown as Metric)
  return (await registry.metrics()).trim().split('\n')
}

describe('request durations', () => {
  test('are rendered as the client’s own histogram renders them', async () => {
    const observed = [0, 0.0005, 0.00051, 0.001, 0.02, 0.3, 9.99, 10, 11, 1_000]
    const durations = new RequestDurations()
    const registry = new Registry()
    const histogram = new Histogram({
      name: durations.name,
      help: durations.help,
      labelNames: ['method', 'route', 'status'] as const,
      buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [registry],
    })
    for (const seconds of observed) {
      durations.series(labels).observe(seconds)
      histogram.observe(labels, seconds)
    }
    const theirs = (await registry.metrics()).trim().split('\n')
    const withoutOrder = (lines: string[]) =>
      lines.map((line) => line.replace(/\{(.*)\}/, sortedLabels)).sort()
    expect(withoutOrder(await render(durations))).toEqual(withoutOrder(theirs))
  })

  test('of one method, route and status share one series', async () => {
    const durations = new RequestDurations()
    const held = durations.series(labels)
    held.observe(0.001)
    durations.series({ ...labels }).observe(0.002)
    durations.series({ ...labels, status: 422 }).observe(0.003)
    held.observe(0.004)
    const counts = (await render(durations)).filter((line) => line.includes('_count{'))
    expect(counts.map((line) => line.replace(/^.*status="(\d+)".* (\d+)$/, '$1 $2'))).toEqual([
      '200 3',
      '422 1',
    ])
  })

  test('count in their bucket and in all above; a bound counts in its own bucket', async () => {
    const durations = new RequestDurations()
    for (const seconds of [0.0025, 0.0026, 20]) durations.series(labels).observe(seconds)
    const { values } = await durations.get()
    const buckets = values.flatMap(({ labels: told, value }) => ('le' in told ? [[told.le, value]] : []))
    expect(Object.fromEntries(buckets)).toMatchObject({ 0.001: 0, 0.0025: 1, 0.005: 2, 10: 2, '+Inf': 3 })
  })

  test('are cleared on reset', async () => {
    const durations = new RequestDurations()
    durations.series(labels).observe(1)
    durations.reset()
    expect((await durations.get()).values).toEqual([])
  })
})

function sortedLabels(_whole: string, inner: string): string {
  return `{${inner.split(',').sort().join()}}`
}
