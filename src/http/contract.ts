// In charge of the shape of every answer, as schemas: the OpenAPI document is made from them, the tests hold real
// answers against them, and the types of those who call us are theirs. Zod takes its time to load, so whatever
// serves requests imports only types from here.
import * as z from 'zod'
import { planNames } from '../access/plans.ts'

// Objects are open: within v1 fields are only added, and a caller must not stumble over a new one.
const id = z.int().min(1)
const count = z.int().min(0)
const updatedAt = z.iso.datetime().meta({ description: 'When it last changed, RFC 3339 in UTC.' })
const price = z.number().nullable()
const scalar = z.union([z.string(), z.number(), z.boolean()])

const watch = z
  .object({
    id: id.meta({ description: 'Identifier of the watch.' }),
    brand: z.string().meta({ description: 'Brand name.' }),
    collection: z.string().meta({ description: 'Collection name.' }),
    reference_number: z.string().meta({ description: 'Reference of the manufacturer.' }),
    retail_price_usd: price.meta({ description: 'Retail price in US dollars; null when it is not known.' }),
    current_market_price: price.meta({ description: 'Current market price; null when it is not known.' }),
    specs: z.record(z.string(), z.unknown()).meta({
      description:
        'Specification attributes as they were stored. Any key may occur, with any JSON value: text, number, boolean, a list of these.',
    }),
    updated_at: updatedAt,
  })
  .meta({ id: 'Watch', description: 'A watch of the catalogue.' })

const pickedWatch = watch.partial().meta({
  id: 'PickedWatch',
  description: 'A watch with only the fields that `fields` asked for.',
})

const meta = z
  .strictObject({
    current_page: z.int().min(1).meta({ description: 'The page, counted from 1.' }),
    per_page: z.int().min(1).max(100).meta({ description: 'How many items a page holds.' }),
    total: count.meta({ description: 'How many items match, on all pages together.' }),
  })
  .meta({ id: 'Meta', description: 'Where a page stands in the whole.' })

const valueCount = z
  .object({
    value: scalar.meta({
      description: 'The value, ready to be sent as a filter: a quantity in the unit of its key.',
    }),
    count: count.meta({ description: 'How many watches have it.' }),
  })
  .meta({ id: 'ValueCount', description: 'A value, and how many watches have it.' })

const filterReading = z
  .object({
    parameter: z.string().meta({ description: 'The filter as it is written before the `=`.' }),
    values: z.array(
      z.object({
        written: z.string().meta({ description: 'The value as it was sent.' }),
        read_as: z.string().meta({ description: 'What it was taken to mean.' }),
        kind: z.enum(['text', 'number', 'quantity', 'synonym', 'boolean', 'brand', 'reference']),
      }),
    ),
    total: count.meta({ description: 'How many watches match this filter alone.' }),
  })
  .meta({ id: 'FilterReading', description: 'How a filter was read.' })

const besideTheWatches = {
  meta,
  facets: z
    .record(z.string(), z.array(valueCount))
    .optional()
    .meta({ description: 'With `facets`: for each key its values, the most frequent first.' }),
  explain: z
    .array(filterReading)
    .optional()
    .meta({ description: 'With `explain`: how each filter was read.' }),
}

const brand = z
  .object({
    id: id.meta({ description: 'Identifier of the brand.' }),
    name: z.string().meta({ description: 'Its name.' }),
    slug: z.string().meta({ description: 'The name as it is written in addresses.' }),
    aliases: z.array(z.string()).meta({ description: 'Other names that filters understand.' }),
    country: z.string().nullable().meta({ description: 'Where it is at home; null when it is not known.' }),
    founded_year: z.int().nullable().meta({ description: 'When it was founded; null when it is not known.' }),
    website: z.string().nullable().meta({ description: 'Its own site; null when it is not known.' }),
    collections_count: count.meta({ description: 'How many of its collections the catalogue has.' }),
    watches_count: count.meta({ description: 'How many of its watches the catalogue has.' }),
    updated_at: updatedAt,
  })
  .meta({ id: 'Brand', description: 'A brand, and how much of it the catalogue has.' })

const specKey = z
  .object({
    key: z.string().meta({ description: 'The key, as a filter has it in its brackets.' }),
    type: z
      .enum(['text', 'number', 'quantity', 'boolean'])
      .meta({ description: 'What most of its values are.' }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'The unit in which a bare number of this key is read; null when it has none.' }),
    watches_count: count.meta({ description: 'How many watches have the key.' }),
    values_count: count.meta({ description: 'How many different values it has.' }),
    examples: z.array(scalar).meta({ description: 'Its most frequent values.' }),
  })
  .meta({ id: 'SpecKey', description: 'A key of `specs`.' })

const priceLine = z
  .object({
    date: z.iso.date().meta({ description: 'The day from which on it was so, in UTC.' }),
    retail_price_usd: price.meta({ description: 'Retail price in US dollars; null when it is not known.' }),
    current_market_price: price.meta({ description: 'Market price of that day; null when it is not known.' }),
    source: z.string().meta({ description: 'Where the line comes from.' }),
  })
  .meta({ id: 'PriceLine', description: 'What a watch cost from a day on, until the next line.' })

const percent = z.number().nullable()

const usage = z
  .object({
    plan: z.enum(planNames).meta({ description: 'The plan of the account.' }),
    limit: count.meta({ description: 'Requests a day of the plan.' }),
    used: count.meta({ description: 'Requests of the account that were counted today, with all its keys.' }),
    remaining: count.meta({ description: 'Requests left today.' }),
    reset: z.iso.datetime().meta({ description: 'When the next day begins: 00:00 UTC, as RFC 3339.' }),
    days: z
      .array(z.object({ date: z.iso.date(), used: count }))
      .length(30)
      .meta({
        description:
          'The last 30 days, the oldest first and today last: the `date` in UTC, and what was `used`.',
      }),
  })
  .meta({ id: 'Usage', description: 'Where an account stands today, and its last 30 days.' })

const problem = z
  .object({ message: z.string().meta({ description: 'One plain sentence.' }) })
  .meta({ id: 'Problem', description: 'Why a request was not answered.' })

const invalidProblem = problem
  .extend({
    errors: z.record(z.string(), z.array(z.string()).min(1)).meta({
      description: 'For each field what is wrong with it; a spec filter is named `spec.<key>`.',
    }),
  })
  .meta({ id: 'InvalidProblem', description: 'Which parameters are not valid, and why.' })

/** By the name that each has in the document; what they are made of is in it by its own. */
const answerSchemas = {
  WatchAnswer: z.object({ data: watch }).meta({ id: 'WatchAnswer' }),
  WatchList: z.object({ data: z.array(watch), ...besideTheWatches }).meta({ id: 'WatchList' }),
  PickedWatchList: z
    .object({ data: z.array(pickedWatch), ...besideTheWatches })
    .meta({ id: 'PickedWatchList', description: 'A list of watches when `fields` is used.' }),
  BrandAnswer: z.object({ data: brand }).meta({ id: 'BrandAnswer' }),
  BrandList: z.object({ data: z.array(brand), meta }).meta({ id: 'BrandList' }),
  SpecKeyList: z.object({ data: z.array(specKey) }).meta({ id: 'SpecKeyList' }),
  SpecValueList: z.object({ data: z.array(valueCount), meta }).meta({ id: 'SpecValueList' }),
  PriceHistory: z
    .object({
      data: z.array(priceLine),
      change_30d: percent.meta({
        description: 'How the market price has changed in 30 days, in percent; null when it cannot be told.',
      }),
      change_365d: percent.meta({
        description: 'How the market price has changed in 365 days, in percent; null when it cannot be told.',
      }),
    })
    .meta({ id: 'PriceHistory', description: 'What a watch has cost, the newest line first.' }),
  UsageAnswer: z.object({ data: usage }).meta({ id: 'UsageAnswer' }),
  Problem: problem,
  InvalidProblem: invalidProblem,
}

/** The schema of the answer with this name, as TypeScript. */
export type Answer<Name extends keyof typeof answerSchemas> = z.infer<(typeof answerSchemas)[Name]>
export type AnswerName = keyof typeof answerSchemas

export type Watch = z.infer<typeof watch>
export type Brand = z.infer<typeof brand>
export type SpecKey = z.infer<typeof specKey>
export type ValueCount = z.infer<typeof valueCount>
export type FilterReading = z.infer<typeof filterReading>
export type PriceLine = z.infer<typeof priceLine>
export type Usage = z.infer<typeof usage>

/** Every schema as JSON Schema 2020-12, which is OpenAPI 3.1's, with references into its components. */
export function componentSchemas(): Record<string, object> {
  const { $defs } = z.toJSONSchema(z.object(answerSchemas), {
    // What a caller has to expect, not what we would take: so objects stay open.
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
      // The format says it already, in less than three lines of expression.
      if (jsonSchema.format === 'date-time' || jsonSchema.format === 'date') delete jsonSchema.pattern
      delete jsonSchema.propertyNames
    },
  })
  return JSON.parse(JSON.stringify($defs).replaceAll('"#/$defs/', '"#/components/schemas/'))
}
