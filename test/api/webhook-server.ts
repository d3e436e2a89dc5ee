// Starts a server for webhook tests: one key of each plan, loopback receivers allowed, and bodies sent as JSON.
import type { PlanName } from '../../src/access/plans/plans.ts'
import type { Engine } from '../databases/engines.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'

export interface WebhookServer extends PlanServer {
  /** Sends a request with a JSON body, below /api/v1. */
  send(
    plan: PlanName,
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Sent>
  forOthers(): Promise<WebhookServer>
}

interface Sent {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: the tests check what it contains
  readonly body: any
}

/** A URL of this machine where nothing listens. */
export const receiverUrl = 'https://127.0.0.1:9/hooks'

export async function startWebhookServer(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<WebhookServer> {
  const settings = { WEBHOOK_ALLOW_CIDR: '127.0.0.0/8', LOG_LEVEL: 'silent', ...env }
  return withSend(await startPlanServer(engine, settings, 'few'))
}

function withSend(server: PlanServer): WebhookServer {
  return {
    ...server,
    forOthers: async () => withSend(await server.forOthers()),
    async send(plan, method, path, body, headers = {}) {
      const json = body === undefined ? {} : { 'content-type': 'application/json' }
      const response = await server.ask(plan, path, {
        method,
        headers: { ...json, ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const { status } = response
      return { status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) }
    },
  }
}
