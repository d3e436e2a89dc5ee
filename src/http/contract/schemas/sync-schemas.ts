// Defines the schemas for callers that keep a copy of the catalogue: the change log, and the lines of an export.
import * as z from 'zod'
import { eventTypes } from '../../../webhooks/event-types.ts'
import { ofBrand, ofWatch } from './event-schemas.ts'
import { count } from './schema-parts.ts'

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
    description: 'One `Watch` per line, ordered by id.',
  }),
}
