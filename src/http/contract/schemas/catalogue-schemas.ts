// Defines the schemas of the catalogue responses: watches, brands, specs and prices.
import * as z from 'zod'
import { textKinds } from '../../../search/text/explain-text.ts'
import { count, id, meta, updatedAt } from './schema-parts.ts'

/** How a value of a filter was read, or a part of the text of `q`. */
const readingKinds = [
  ...(['text', 'number', 'quantity', 'synonym', 'boolean', 'brand', 'reference'] as const),
  ...textKinds,
] as const
const price = z.number().nullable()
const scalar = z.union([z.string(), z.number(), z.boolean()])

export const watch = z
  .object({
    id: id.describe('Identifier of the watch.'),
    brand: z.string().describe('Brand name.'),
    collection: z.string().describe('Collection name.'),
    reference_number: z
      .string()
      .describe('Reference of the manufacturer. Empty if the watch has none, as many vintage watches do.'),
    retail_price_usd: price.describe('Retail price in US dollars; null when it is not known.'),
    current_market_price: price.describe('Current market price; null when it is not known.'),
    specs: z
      .record(z.string(), z.unknown())
      .describe(
        'Specification attributes as they were stored. Any key may occur, with any JSON value: text, number, boolean, a list of these.',
      ),
    updated_at: updatedAt,
  })
  .meta({ id: 'Watch', description: 'A watch of the catalogue.' })

const pickedWatch = watch.partial().meta({
  id: 'PickedWatch',
  description: 'A watch with only the fields listed in `fields`.',
})

const valueCount = z
  .object({
    value: scalar.describe('The value, ready to be sent as a filter: a quantity in the unit of its key.'),
    count: count.describe('How many watches have it.'),
  })
  .meta({ id: 'ValueCount', description: 'A value, and how many watches have it.' })

const filterReading = z
  .object({
    parameter: z.string().describe('The parameter name of the filter, before the `=`.'),
    one_level: z
      .string()
      .describe('The same for clients that write no nested brackets: `spec[case_diameter:gte]`.'),
    values: z.array(
      z.object({
        written: z.string().describe('The value as it was sent.'),
        read_as: z.string().describe('How it was interpreted.'),
        kind: z.enum(readingKinds),
      }),
    ),
    total: count.describe('How many watches match this filter alone.'),
  })
  .meta({ id: 'FilterReading', description: 'How a filter was interpreted.' })

const suggestion = z
  .object({
    type: z.enum(['brand', 'collection', 'nickname', 'reference', 'value']),
    text: z.string().describe('The completion, as it is written.'),
    brand: z
      .string()
      .nullable()
      .describe('The brand of a collection, nickname or reference; null where several brands have it.'),
    key: z.string().nullable().describe('The spec key of a value.'),
    query: z.string().describe('The query string of the list of these watches, to append to `/watches?`.'),
    watches_count: count.describe('How many watches that list has.'),
  })
  .meta({ id: 'Suggestion', description: 'What a text may become.' })

const besideTheWatches = {
  meta,
  facets: z
    .record(z.string(), z.array(valueCount))
    .optional()
    .describe('With `facets`: for each key its values, the most frequent first.'),
  explain: z.array(filterReading).optional().describe('With `explain`: how each filter was interpreted.'),
}

export const brand = z
  .object({
    id: id.describe('Identifier of the brand.'),
    name: z.string().describe('Name of the brand.'),
    slug: z.string().describe('The name as used in URLs.'),
    aliases: z.array(z.string()).describe('Other names that filters accept.'),
    country: z.string().nullable().describe('Country of the brand; null when it is not known.'),
    founded_year: z.int().nullable().describe('Year in which it was founded; null when it is not known.'),
    website: z.string().nullable().describe('Its website; null when it is not known.'),
    collections_count: count.describe('How many of its collections the catalogue has.'),
    watches_count: count.describe('How many of its watches the catalogue has.'),
    updated_at: updatedAt,
  })
  .meta({
    id: 'Brand',
    description: 'A brand, and how many of its collections and watches the catalogue has.',
  })

const specKey = z
  .object({
    key: z.string().describe('The key, as used in the brackets of a filter.'),
    type: z.enum(['text', 'number', 'quantity', 'boolean']).describe('The type of most of its values.'),
    unit: z
      .string()
      .nullable()
      .describe('The unit assumed for a bare number of this key; null when it has none.'),
    watches_count: count.describe('How many watches have the key.'),
    values_count: count.describe('How many different values it has.'),
    examples: z.array(scalar).describe('Its most frequent values.'),
  })
  .meta({ id: 'SpecKey', description: 'A key of `specs`.' })

const priceLine = z
  .object({
    date: z.iso.date().describe('The first day on which these prices were valid, in UTC.'),
    retail_price_usd: price.describe('Retail price in US dollars; null when it is not known.'),
    current_market_price: price.describe('Market price of that day; null when it is not known.'),
    source: z.string().describe('Where the prices come from.'),
  })
  .meta({ id: 'PriceLine', description: 'The prices of a watch from a day until the next line.' })

const percent = z.number().nullable()

/** By name in the document. The schemas they are composed of have names of their own there. */
export const catalogueSchemas = {
  WatchAnswer: z.object({ data: watch }).meta({ id: 'WatchAnswer' }),
  WatchList: z.object({ data: z.array(watch), ...besideTheWatches }).meta({ id: 'WatchList' }),
  PickedWatchList: z
    .object({ data: z.array(pickedWatch), ...besideTheWatches })
    .meta({ id: 'PickedWatchList', description: 'A list of watches when `fields` is used.' }),
  BrandAnswer: z.object({ data: brand }).meta({ id: 'BrandAnswer' }),
  BrandList: z.object({ data: z.array(brand), meta }).meta({ id: 'BrandList' }),
  SuggestionList: z.object({ data: z.array(suggestion) }).meta({ id: 'SuggestionList' }),
  SpecKeyList: z.object({ data: z.array(specKey) }).meta({ id: 'SpecKeyList' }),
  SpecValueList: z.object({ data: z.array(valueCount), meta }).meta({ id: 'SpecValueList' }),
  PriceHistory: z
    .object({
      data: z.array(priceLine),
      change_30d: percent.describe(
        'Change of the market price within 30 days, in percent; null when it cannot be calculated.',
      ),
      change_365d: percent.describe(
        'Change of the market price within 365 days, in percent; null when it cannot be calculated.',
      ),
    })
    .meta({ id: 'PriceHistory', description: 'The price history of a watch, newest line first.' }),
}
