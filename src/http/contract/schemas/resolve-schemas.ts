// Defines the schemas of POST /resolve: titles of offers, and which watches they may mean.
import * as z from 'zod'
import { conditions } from '../../../search/resolve/read-condition.ts'
import { matches } from '../../../search/resolve/resolve.ts'
import { resolveLimits } from '../../queries/resolve-body.ts'
import { watch } from './catalogue-schemas.ts'

const { texts, textLength, brandLength } = resolveLimits
const text = z.string().min(1).max(textLength)

const title = z
  .object({
    text: text.describe('The title of an offer, or any other text about one watch.'),
    brand: z.string().min(1).max(brandLength).nullable().optional().describe('The brand, if it is known.'),
    price: z
      .number()
      .min(0)
      .nullable()
      .optional()
      .describe('The price, if it is known. It decides only between equals.'),
  })
  .meta({ id: 'Title', description: 'A text, and what else is known of the watch.' })

const candidate = z
  .object({
    watch,
    confidence: z
      .number()
      .min(0)
      .max(1)
      .describe('How likely this watch is meant: of many candidates with 0.8, about four in five are.'),
    reasons: z
      .array(z.string())
      .describe('What in the text speaks for it, such as `nickname Hulk` or `year 2018`.'),
  })
  .meta({ id: 'Candidate', description: 'A watch that a text may mean.' })

const resolution = z
  .object({
    text: z.string().describe('The text as it was sent.'),
    match: z
      .enum(matches)
      .describe(
        '`exact`: the text has the whole reference of the first candidate. `likely`: the first candidate is meant without doubt in the rest. `ambiguous`: it may be several, or one that the catalogue lacks. `none`: no watch of the catalogue.',
      ),
    candidates: z.array(candidate).max(5).describe('The watches that it may be, best first.'),
    read: z
      .object({
        brand: z.string().nullable().describe('The brand, as the catalogue spells it.'),
        reference: z.string().nullable().describe('The reference in the text, even if no watch has it.'),
        year: z.int().nullable().describe('The year of the watch.'),
        condition: z.enum(conditions).nullable().describe('The condition, in one word of this list.'),
        box: z.boolean().nullable().describe('Whether the box comes with it; null if the text does not say.'),
        papers: z
          .boolean()
          .nullable()
          .describe('Whether the papers come with it; null if the text does not say.'),
        price: z.number().nullable().describe('The price in the text.'),
        currency: z.string().nullable().describe('Its currency, as ISO 4217 code.'),
      })
      .describe('What else the text says; null where it does not.'),
  })
  .meta({ id: 'Resolution', description: 'Which watches a text may mean.' })

export const resolveSchemas = {
  ResolutionList: z.object({ data: z.array(resolution) }).meta({ id: 'ResolutionList' }),
}

export const resolveBodies = {
  Titles: z
    .object({
      texts: z
        .array(z.union([text, title]))
        .min(1)
        .max(texts)
        .describe('The texts to resolve.'),
    })
    .meta({ id: 'Titles', description: 'The list alone is accepted, too.' }),
}
