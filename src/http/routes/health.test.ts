import Fastify from 'fastify'
import { expect, test } from 'vitest'
import type { Problem } from '../../errors.ts'
import { answerProblem } from '../api/problems.ts'
import { healthRoutes, type Readiness } from './health.ts'

const readyLagMs = 120_000

async function ask(readiness: Readiness) {
  const app = Fastify()
  app.setErrorHandler((error, _request, reply) => answerProblem(error as Problem, reply))
  healthRoutes(app, { readyLagMs }, () => readiness)
  const { statusCode, body, headers } = await app.inject('/readyz')
  return { status: statusCode, body: JSON.parse(body), retryAfter: headers['retry-after'] }
}

test('a process that is behind the catalogue by no more than the setting is ready', async () => {
  const ready = await ask({ isReady: true, sequence: 7, lagMs: readyLagMs })
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready', sequence: 7, lag_ms: readyLagMs } })
})

test('a process that is further behind, or that starts or stops, is not', async () => {
  const behind = { isReady: true, sequence: 7, lagMs: readyLagMs + 1 }
  for (const readiness of [behind, { isReady: false, sequence: 7, lagMs: 0 }]) {
    expect(await ask(readiness)).toMatchObject({ status: 503, retryAfter: '1' })
  }
})

test('a process that cannot read the database stays ready: otherwise none would be left', async () => {
  const ready = await ask({ isReady: true, sequence: 7, lagMs: undefined })
  expect(ready).toMatchObject({ status: 200, body: { status: 'ready', sequence: 7, lag_ms: null } })
})
