// In charge of a server whose callers have webhooks: one key of each plan, addresses of this machine allowed, and bodies
// sent as JSON.
import type { PlanName } from '../../src/access/plans/plans.ts'
import type { Engine } from '../databases/engines.ts'
import { type PlanServer, startPlanServer } from './plan-server.ts'

export interface WebhookServer extends PlanServer {
  /** With a body of JSON, below /api/v1. */
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
  // biome-ignore lint/suspicious/noExplicitAny: whatever was answered is looked into
  readonly body: any
}

/** A receiver of this machine where nobody is. */
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
