// Defines the schemas of changes: the change log, the events posted to webhooks, and the lines of an export.
import * as z from 'zod'
import { type EventType, eventTypes, testEvent } from '../../../webhooks/event-types.ts'
import { brand, watch } from './catalogue-schemas.ts'
import { count, id } from './schema-parts.ts'

const fieldChange = z.object({ old: z.unknown(), new: z.unknown() })

const changedBrand = brand
  .omit({ collections_count: true, watches_count: true })
  .meta({ id: 'ChangedBrand', description: 'A brand without its counts, which change with its watches.' })

const changes = z
  .record(z.string(), fieldChange)
  .optional()
  .describe('The changed fields and prices, each with its `old` and `new` value; a spec is `specs.<key>`.')

/** The fields of a change of a watch, besides its position in the log. */
const ofWatch = {
  watch_id: id.describe('Id of the watch.'),
  watch: watch.nullable().describe('The watch; null when it no longer exists.'),
  changes,
  deleted: watch
    .pick({ brand: true, collection: true, reference_number: true })
    .optional()
    .describe(
      'With `watch.deleted`: the `brand`, `collection` and `reference_number` of the deleted watch, where the log has them.',
    ),
}

const ofBrand = {
  brand_id: id.describe('Id of the brand.'),
  brand: changedBrand.nullable().describe('The brand; null when it no longer exists.'),
  changes,
  merged: z
    .array(brand.pick({ id: true, name: true, slug: true }))
    .optional()
    .describe('With `brand.updated`: the brands that were merged into this one and no longer exist.'),
}

const change = z
  .object({
    sequence: count.describe('Its position in the log. It increases by one with every change.'),
    type: z.enum(eventTypes).describe('What happened.'),
    at: z.iso.datetime().describe('When it happened, RFC 3339 in UTC.'),
    watch_id: ofWatch.watch_id.optional().describe('Id of the watch; not in changes of brands.'),
    watch: ofWatch.watch
      .optional()
      .describe('The current state of the watch; null when it no longer exists.'),
    brand_id: ofBrand.brand_id.optional().describe('Id of the brand; only in changes of brands.'),
    brand: ofBrand.brand
      .optional()
      .describe('The current state of the brand; null when it no longer exists.'),
    changes: ofWatch.changes,
    deleted: ofWatch.deleted,
    merged: ofBrand.merged,
  })
  .meta({ id: 'Change', description: 'A change of the catalogue.' })

const changeMeta = z
  .strictObject({
    next_cursor: z.string().describe('The cursor to continue with: the next `since`.'),
    has_more: z.boolean().describe('Whether more changes are available now.'),
  })
  .meta({ id: 'ChangeMeta', description: 'Where a page of changes ends.' })

/** By name in the document. The schemas they are composed of have names of their own there. */
export const syncSchemas = {
  ChangeList: z.object({ data: z.array(change), meta: changeMeta }).meta({ id: 'ChangeList' }),
  ExportLines: z.string().meta({
    id: 'ExportLines',
    // Not one JSON text: with this, generated clients return a Blob or a stream instead of parsing it.
    format: 'binary',
    description: 'One `Watch` per line, ordered by id.',
  }),
}

const order = {
  sequence: count.describe('Its position in the change log.'),
  previous_sequence: count.describe(
    'The `sequence` of the previous event for this webhook. If you have not received that event, read the change log from the last one you have.',
  ),
}

const watchEvent = z
  .object({
    ...order,
    ...ofWatch,
    watch: ofWatch.watch.describe('The watch as it was after the change; null when it no longer exists.'),
  })
  .meta({ id: 'WatchEventData', description: 'A change of a watch.' })

const brandEvent = z
  .object({ ...order, ...ofBrand })
  .meta({ id: 'BrandEventData', description: 'A change of a brand.' })

const testEventData = z
  .object({
    webhook_id: id.describe('Id of the tested webhook.'),
    message: z.string().describe('A text that says that this is a test.'),
  })
  .meta({ id: 'TestEventData', description: 'A test: nothing has changed.' })

/** By name in the document. */
export const eventSchemas = {
  WatchCreatedEvent: posted('WatchCreatedEvent', 'watch.created', watchEvent),
  WatchUpdatedEvent: posted('WatchUpdatedEvent', 'watch.updated', watchEvent),
  WatchPriceChangedEvent: posted('WatchPriceChangedEvent', 'watch.price_changed', watchEvent),
  WatchDeletedEvent: posted('WatchDeletedEvent', 'watch.deleted', watchEvent),
  BrandCreatedEvent: posted('BrandCreatedEvent', 'brand.created', brandEvent),
  BrandUpdatedEvent: posted('BrandUpdatedEvent', 'brand.updated', brandEvent),
  BrandDeletedEvent: posted('BrandDeletedEvent', 'brand.deleted', brandEvent),
  WebhookTestEvent: posted('WebhookTestEvent', testEvent, testEventData),
}

function posted<Data extends z.ZodObject>(id: string, type: EventType, data: Data) {
  return z
    .object({
      type: z.literal(type).describe('What happened.'),
      timestamp: z.iso.datetime().describe('When it happened, RFC 3339 in UTC.'),
      data,
    })
    .meta({ id, description: `The body of \`${type}\`.` })
}
