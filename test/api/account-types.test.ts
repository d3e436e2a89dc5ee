// Checks at compile time that the dashboard app reads webhooks, deliveries and sessions with the types that the API
// and sign-in return. The other routes are typed by the contract where they are defined.
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

test('the webhook types of the API are those that the dashboard reads', () => {
  expectTypeOf<Data<'WebhookAnswer'>>().toExtend<Webhook>()
  expectTypeOf<Data<'WebhookList'>>().toExtend<readonly Webhook[]>()
  expectTypeOf<Data<'WebhookSecretAnswer'>>().toExtend<WebhookWithSecret>()
  expectTypeOf<Data<'DeliveryAnswer'>>().toExtend<Delivery>()
  expectTypeOf<Data<'DeliveryList'>>().toExtend<readonly Delivery[]>()
  expectTypeOf<Data<'DeliveryDetailsAnswer'>>().toExtend<DeliveryDetails>()
})

test('the session types are those that the dashboard reads', () => {
  expectTypeOf<ToldSession>().toEqualTypeOf<SessionLine>()
})
