// The table of operations on watches.
import { priceLinesMax } from '../../../catalogue/price-history.ts'
import { example, idParameter, invalid, notFound, type OperationRow } from './operation.ts'
import { quotaHeaders } from './response-headers.ts'

export const watchOperations: readonly OperationRow[] = [
  {
    id: 'listWatches',
    tag: 'Watches',
    path: '/watches',
    summary: 'List watches',
    description:
      'The watches that match all filters, page by page. Without filters, the whole catalogue, ordered by id.',
    found: 'A page of watches.',
    query: 'watches',
    answers: ['WatchList'],
    headers: ['link', 'unknownSpecKeys', 'unknownWords', 'didYouMean'],
    examples: [
      example(
        'filters',
        'Black dials that are water-resistant to 100 m or more',
        '/watches?spec[dial_color]=Black&spec[water_resistance][gte]=100%20m&per_page=1',
      ),
      example(
        'fields',
        'The three most expensive watches, with four fields each',
        '/watches?sort=-retail_price_usd&fields=id,brand,collection,retail_price_usd&per_page=3',
        { answer: 'PickedWatchList' },
      ),
      example(
        'search',
        'Search words, the last one incomplete',
        '/watches?q=royal%20oak%20jum&fields=id,brand,collection,reference_number',
        { answer: 'PickedWatchList' },
      ),
      example(
        'search_read',
        'A mistyped word and a size in words',
        '/watches?q=submarner%2040mm&explain=1&fields=id,brand,collection,reference_number',
        { answer: 'PickedWatchList', headers: ['unknownWords'] },
      ),
      example(
        'facets',
        'Omega’s watches, counted by dial and movement',
        '/watches?brand=Omega&facets=dial_color,movement_type&fields=id,collection&per_page=1',
        { answer: 'PickedWatchList' },
      ),
      example(
        'explain',
        'How a quantity and a synonym are interpreted',
        '/watches?spec[water_resistance]=330%20ft&spec[movement_type]=self-winding&explain=1&fields=id,specs.water_resistance,specs.movement_type&per_page=2',
        { answer: 'PickedWatchList' },
      ),
      example('unknown_key', 'A key that no watch has', '/watches?spec[dail_color]=Black', {
        headers: ['unknownSpecKeys'],
      }),
      invalid('/watches?per_page=1000&sort=price&spec[case_diameter][gte]=large'),
      {
        name: 'spent',
        summary: 'The daily quota is used up',
        request: '/watches',
        status: 429,
        answer: 'Problem',
        headers: [...quotaHeaders, 'retryAfter'],
      },
    ],
  },
  {
    id: 'getWatch',
    tag: 'Watches',
    path: '/watches/{id}',
    summary: 'Get a watch',
    description: 'One watch, with all its fields.',
    found: 'The watch.',
    pathParameters: [idParameter('id', 'watch', '1')],
    answers: ['WatchAnswer'],
    problems: ['not_found'],
    examples: [
      example('watch', 'The first watch of the sample', '/watches/1'),
      notFound('/watches/999999999'),
    ],
  },
  {
    id: 'getPriceHistory',
    tag: 'Watches',
    path: '/watches/{id}/prices',
    summary: 'Get the prices of a watch',
    description: `The price history of a watch, newest line first: each line has the prices that were valid from its \`date\` until the next; null when there was none, or none is known. How far back it goes depends on the plan; the response has the ${priceLinesMax.toLocaleString('en')} newest lines of the range. Beside \`data\`, \`change_30d\` and \`change_365d\` are the change of the market price over the last 30 and 365 days, in percent, regardless of \`from\` and \`to\`: from the newest market price that was known then to the current one; null when one of them is missing.`,
    found: 'The lines of the range, and the changes.',
    pathParameters: [idParameter('id', 'watch', '1')],
    query: [
      {
        name: 'from',
        type: 'date',
        meaning:
          'The first day, as `2024-01-31`. A day earlier than the plan allows counts as the first day that it allows.',
        example: 'from=2024-01-01',
      },
      {
        name: 'to',
        type: 'date',
        meaning: 'The last day, inclusive.',
        example: 'to=2024-12-31',
      },
    ],
    answers: ['PriceHistory'],
    problems: ['not_found'],
    examples: [
      example('history', 'The whole history of a watch of the sample', '/watches/1/prices'),
      example('range', 'A year in which nothing changed', '/watches/1/prices?from=2025-01-01&to=2025-12-31'),
      notFound('/watches/999999999/prices'),
      invalid('/watches/1/prices?from=2025-02-29&to=1.3.2025'),
    ],
  },
]
