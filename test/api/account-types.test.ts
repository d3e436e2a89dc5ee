// The dashboard app is told of webhooks and deliveries what the API tells of them, and of sessions what signing in tells,
// as the compiler sees it. What the other routes answer is written to the types of the agreement where it is made.
import { expectTypeOf, test } from 'vitest'
import type * as z from 'zod'
import type { ToldSession } from '../../src/access/sign-in/session-responses.ts'
import type { webhookSchemas } from '../../src/http/contract/schemas/webhook-schemas.ts'
import type {
  Delivery,
  DeliveryDetails,
  SessionLine,
  Webhook,
  WebhookWithSecret,
} from '../../web/account-api.ts'

type Data<Name extends keyof typeof webhookSchemas> = z.infer<(typeof webhookSchemas)[Name]>['data']

test('what the API says of webhooks is what the dashboard reads', () => {
  expectTypeOf<Data<'WebhookAnswer'>>().toExtend<Webhook>()
  expectTypeOf<Data<'WebhookList'>>().toExtend<readonly Webhook[]>()
  expectTypeOf<Data<'WebhookSecretAnswer'>>().toExtend<WebhookWithSecret>()
  expectTypeOf<Data<'DeliveryAnswer'>>().toExtend<Delivery>()
  expectTypeOf<Data<'DeliveryList'>>().toExtend<readonly Delivery[]>()
  expectTypeOf<Data<'DeliveryDetailsAnswer'>>().toExtend<DeliveryDetails>()
})

test('what is told of sessions is what the dashboard reads', () => {
  expectTypeOf<ToldSession>().toEqualTypeOf<SessionLine>()
})
