import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Problem } from '../../errors.ts'
import { answerProblem } from '../api/problems.ts'
import { healthRoutes, type Readiness } from './health.ts'

const readyLagMs = 120_000

async function ask(given: Partial<Readiness>) {
  const readiness = { isReady: true, sequence: 7, lagMs: 0, clockOffsetMs: 0, ...given }
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => answerProblem(error as Problem, reply))
  healthRoutes(app, { readyLagMs }, () => readiness)
  const { statusCode, body, headers } = await app.inject('/readyz')
  return { status: statusCode, body: JSON.parse(body), retryAfter: headers['retry-after'] }
}

test('a process that is behind the catalogue by no more than the setting is ready', async () => {
  const ready = await ask({ lagMs: readyLagMs })
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready', sequence: 7, lag_ms: readyLagMs } })
})

test('a process that is further behind, or that starts or stops, is not', async () => {
  for (const readiness of [{ lagMs: readyLagMs + 1 }, { isReady: false }]) {
    expect(await ask(readiness)).toMatchObject({ status: 503, retryAfter: '1' })
  }
})

test('a process that cannot read the database stays ready: otherwise none would be left', async () => {
  const ready = await ask({ lagMs: undefined })
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready', sequence: 7, lag_ms: null } })
})

test('a process whose clock is wrong says so, and stays ready: it uses the clock of the database', async () => {
  const ready = await ask({ clockOffsetMs: -86_400_000.4 })
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready', clock_offset_ms: -86_400_000 } })
})
