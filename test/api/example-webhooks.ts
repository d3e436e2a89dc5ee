// In charge of the webhooks that the examples of the API are about, on a server of a test.
import { writeExampleWebhooks } from '../../src/http/contract/example-webhook.ts'
import type { PlanServer } from './plan-server.ts'

/** As the examples have them, whatever was done with them before. */
export async function layOutWebhooks({ database }: PlanServer): Promise<void> {
  await database.write(async (tx) => {
    const accounts = tx.selectFrom('accounts').select('id').where('plan', '=', 'platinum')
    const { id } = await accounts.executeTakeFirstOrThrow()
    await tx.deleteFrom('webhook_endpoints').where('account_id', '=', id).execute()
    await tx.deleteFrom('webhook_events').execute()
    await writeExampleWebhooks(tx, id)
  })
}
