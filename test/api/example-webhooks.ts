// In charge of the webhooks that the examples of the API are about, on a server of a test.
import { writeExampleWebhooks } from '../../src/http/contract/examples/example-webhook.ts'
import type { PlanServer } from './plan-server.ts'

/** As the examples have them, whatever was done with them before. */
export async function layOutWebhooks({ database, accounts }: PlanServer): Promise<void> {
  await database.write(async (tx) => {
    await tx.deleteFrom('webhook_endpoints').execute()
    await tx.deleteFrom('webhook_events').execute()
    await writeExampleWebhooks(tx, accounts.platinum)
  })
}
