// Schema parts that all responses share.
import * as z from 'zod'

// Objects are open: within v1 fields are only added, and a new field must not break a caller.
export const id = z.int().min(1)
export const count = z.int().min(0)
export const updatedAt = z.iso.datetime().describe('When it last changed, RFC 3339 in UTC.')

export const meta = z
  .strictObject({
    current_page: z.int().min(1).describe('Page number, counted from 1.'),
    per_page: z.int().min(1).max(100).describe('Number of items per page.'),
    total: count.describe('Number of matching items on all pages.'),
  })
  .meta({ id: 'Meta', description: 'The position of a page in the list.' })
