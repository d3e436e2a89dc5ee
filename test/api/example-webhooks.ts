// Creates the webhooks that the API examples refer to, on a test server.
import { writeExampleWebhooks } from '../../src/http/contract/examples/example-webhook.ts'
import type { PlanServer } from './plan-server.ts'

/** Resets the webhooks to those of the examples. */
export async function layOutWebhooks({ database, accounts }: PlanServer): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom('webhook_endpoints').execute()
    await tx.deleteFrom('webhook_events').execute()
    await writeExampleWebhooks(tx, accounts.platinum)
  })
}
