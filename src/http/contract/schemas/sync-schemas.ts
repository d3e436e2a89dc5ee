// In charge of the shape of answers for who keeps a copy of the catalogue: the change log, and the lines of an export.
import * as z from 'zod'
import { eventTypes } from '../../../webhooks/event-types.ts'
import { ofBrand, ofWatch } from './event-schemas.ts'
import { count } from './schema-parts.ts'

const change = z
  .object({
    sequence: count.meta({ description: 'Its place in the log. It rises by one from change to change.' }),
    type: z.enum(eventTypes).meta({ description: 'What happened.' }),
    at: z.iso.datetime().meta({ description: 'When it happened, RFC 3339 in UTC.' }),
    watch_id: ofWatch.watch_id.optional().meta({ description: 'Of which watch; not in changes of brands.' }),
    watch: ofWatch.watch.optional().meta({ description: 'The watch as it is now; null when it is gone.' }),
    brand_id: ofBrand.brand_id.optional().meta({ description: 'Of which brand; only in changes of brands.' }),
    brand: ofBrand.brand.optional().meta({ description: 'The brand as it is now; null when it is gone.' }),
    changes: ofWatch.changes,
    deleted: ofWatch.deleted,
    merged: ofBrand.merged,
  })
  .meta({ id: 'Change', description: 'A change of the catalogue.' })

const changeMeta = z
  .strictObject({
    next_cursor: z.string().meta({ description: 'Where to go on: the next `since`.' }),
    has_more: z.boolean().meta({ description: 'Whether there is more to be had at once.' }),
  })
  .meta({ id: 'ChangeMeta', description: 'Where a page of changes ends.' })

/** By the name that each has in the document; what they are made of is in it by its own. */
export const syncSchemas = {
  ChangeList: z.object({ data: z.array(change), meta: changeMeta }).meta({ id: 'ChangeList' }),
  ExportLines: z.string().meta({
    id: 'ExportLines',
    description: 'A `Watch` on each line, in order of id.',
  }),
}
