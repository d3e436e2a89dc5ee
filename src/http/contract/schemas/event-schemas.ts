// In charge of the shape of events: what a change of the catalogue says, in the change log and in what is posted to
// webhooks.
import * as z from 'zod'
import { type EventType, testEvent } from '../../../webhooks/event-types.ts'
import { brand, watch } from './catalogue-schemas.ts'
import { count, id } from './schema-parts.ts'

const fieldChange = z.object({ old: z.unknown(), new: z.unknown() })

const changedBrand = brand
  .omit({ collections_count: true, watches_count: true })
  .meta({ id: 'ChangedBrand', description: 'A brand without its counts, which change with its watches.' })

const changes = z.record(z.string(), fieldChange).optional().meta({
  description: 'Field → `old` and `new`, where fields or prices changed; a spec is `specs.<key>`.',
})

/** Besides its place in the log. */
export const ofWatch = {
  watch_id: id.meta({ description: 'Of which watch.' }),
  watch: watch.nullable().meta({ description: 'The watch; null when it is gone.' }),
  changes,
  deleted: watch.pick({ brand: true, collection: true, reference_number: true }).optional().meta({
    description:
      'With `watch.deleted`: the `brand`, `collection` and `reference_number` that the watch had, where the log kept them.',
  }),
}

export const ofBrand = {
  brand_id: id.meta({ description: 'Of which brand.' }),
  brand: changedBrand.nullable().meta({ description: 'The brand; null when it is gone.' }),
  changes,
  merged: z
    .array(brand.pick({ id: true, name: true, slug: true }))
    .optional()
    .meta({ description: 'With `brand.updated`: the brands that it has taken in, and that are no more.' }),
}

const order = {
  sequence: count.meta({ description: 'Its place in the change log.' }),
  previous_sequence: count.meta({
    description:
      'The `sequence` of the event before it for this webhook. If that is not the last one you have had, read the change log from there.',
  }),
}

const watchEvent = z
  .object({
    ...order,
    ...ofWatch,
    watch: ofWatch.watch.meta({ description: 'The watch as it was after the change; null when it is gone.' }),
  })
  .meta({ id: 'WatchEventData', description: 'A change of a watch.' })

const brandEvent = z
  .object({ ...order, ...ofBrand })
  .meta({ id: 'BrandEventData', description: 'A change of a brand.' })

const testEventData = z
  .object({
    webhook_id: id.meta({ description: 'The webhook that is tested.' }),
    message: z.string().meta({ description: 'That this is a test.' }),
  })
  .meta({ id: 'TestEventData', description: 'No change at all.' })

/** By the name that each has in the document. */
export const eventSchemas = {
  WatchCreatedEvent: posted('WatchCreatedEvent', 'watch.created', watchEvent),
  WatchUpdatedEvent: posted('WatchUpdatedEvent', 'watch.updated', watchEvent),
  WatchPriceChangedEvent: posted('WatchPriceChangedEvent', 'watch.price_changed', watchEvent),
  WatchDeletedEvent: posted('WatchDeletedEvent', 'watch.deleted', watchEvent),
  BrandCreatedEvent: posted('BrandCreatedEvent', 'brand.created', brandEvent),
  BrandUpdatedEvent: posted('BrandUpdatedEvent', 'brand.updated', brandEvent),
  WebhookTestEvent: posted('WebhookTestEvent', testEvent, testEventData),
}

function posted<Data extends z.ZodObject>(id: string, type: EventType, data: Data) {
  return z
    .object({
      type: z.literal(type).meta({ description: 'What happened.' }),
      timestamp: z.iso.datetime().meta({ description: 'When it happened, RFC 3339 in UTC.' }),
      data,
    })
    .meta({ id, description: `The body of \`${type}\`.` })
}
