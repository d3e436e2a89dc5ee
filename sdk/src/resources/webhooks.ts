// Webhooks and their deliveries.
import type {
  Delivery,
  DeliveryAnswer,
  DeliveryDetails,
  DeliveryDetailsAnswer,
  DeliveryList,
  NewWebhook,
  RedeliveryAnswer,
  Webhook,
  WebhookAnswer,
  WebhookChanges,
  WebhookList,
  WebhookSecretAnswer,
  WebhookWithSecret,
} from '../api-types.ts'
import { type Call, callOf } from '../call.ts'
import type { CallOptions } from '../options.ts'
import { PageCall } from '../page-call.ts'
import type { Sent, Transport } from '../transport.ts'
import type { Paging } from '../watch-query.ts'

export interface DeliveryQuery extends Paging {
  status?: Delivery['status'] | undefined
  type?: Delivery['event']['type'] | undefined
}

const base = 'webhooks'

export class Webhooks {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  list(options?: CallOptions): Call<Webhook[]> {
    return this.#send<WebhookList>({ path: [base] }, options)
  }

  /** The only response, besides that of `rotateSecret`, that has the `secret`: store it. */
  create(webhook: NewWebhook, options?: CallOptions): Call<WebhookWithSecret> {
    return this.#send<WebhookSecretAnswer>({ method: 'POST', path: [base], body: webhook }, options)
  }

  get(id: number, options?: CallOptions): Call<Webhook> {
    return this.#send<WebhookAnswer>({ path: [base, id] }, options)
  }

  update(id: number, changes: WebhookChanges, options?: CallOptions): Call<Webhook> {
    const path = [base, id]
    return this.#send<WebhookAnswer>({ method: 'PATCH', path, body: changes }, options)
  }

  delete(id: number, options?: CallOptions): Call<void> {
    const received = this.#transport.send({ method: 'DELETE', path: [base, id] }, options)
    return callOf(received, () => undefined)
  }

  /** Sends a `webhook.test` event. Read the delivery to see the result. */
  test(id: number, options?: CallOptions): Call<Delivery> {
    return this.#send<DeliveryAnswer>({ method: 'POST', path: [base, id, 'test'] }, options)
  }

  /** For 24 hours, events are signed with the old and the new secret. */
  rotateSecret(id: number, options?: CallOptions): Call<WebhookWithSecret> {
    const path = [base, id, 'rotate-secret']
    return this.#send<WebhookSecretAnswer>({ method: 'POST', path }, options)
  }

  /** Sends all deliveries again that failed since a time. */
  redeliver(
    id: number,
    { since }: { since: string | Date },
    options?: CallOptions,
  ): Call<RedeliveryAnswer['data']> {
    const path = [base, id, 'redeliver']
    return this.#send<RedeliveryAnswer>({ method: 'POST', path, body: { since } }, options)
  }

  /** The deliveries of the last 30 days, newest first. */
  deliveries(id: number, query: DeliveryQuery = {}, options?: CallOptions): PageCall<DeliveryList> {
    return new PageCall(this.#transport, { path: [base, id, 'deliveries'], query, options })
  }

  /** One delivery with its request and its attempts. */
  delivery(id: number, deliveryId: number, options?: CallOptions): Call<DeliveryDetails> {
    const path = [base, id, 'deliveries', deliveryId]
    return this.#send<DeliveryDetailsAnswer>({ path }, options)
  }

  /** Sends one delivery again, whether it succeeded or not. */
  redeliverDelivery(id: number, deliveryId: number, options?: CallOptions): Call<Delivery> {
    const path = [base, id, 'deliveries', deliveryId, 'redeliver']
    return this.#send<DeliveryAnswer>({ method: 'POST', path }, options)
  }

  #send<Answer extends { data: unknown }>(sent: Sent, options?: CallOptions): Call<Answer['data']> {
    return callOf(this.#transport.send(sent, options), ({ data }: Answer) => data)
  }
}
