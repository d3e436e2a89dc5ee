// In charge of what the schemas of all answers have in common.
import * as z from 'zod'

// Objects are open: within v1 fields are only added, and a caller must not stumble over a new one.
export const id = z.int().min(1)
export const count = z.int().min(0)
export const updatedAt = z.iso.datetime().meta({ description: 'When it last changed, RFC 3339 in UTC.' })

export const meta = z
  .strictObject({
    current_page: z.int().min(1).meta({ description: 'The page, counted from 1.' }),
    per_page: z.int().min(1).max(100).meta({ description: 'How many items a page holds.' }),
    total: count.meta({ description: 'How many items match, on all pages together.' }),
  })
  .meta({ id: 'Meta', description: 'Where a page stands in the whole.' })
