// The table of operations that find what somebody means: completions of a search, and the watches of titles.
import { queryLimits } from '../../../search/query/operators.ts'
import { suggestLimits } from '../../../search/query/suggest-query.ts'
import { textsPerRequest } from '../../operations/resolve.ts'
import { resolveLimits } from '../../queries/resolve-body.ts'
import { example, invalid, type OperationRow } from './operation.ts'

export const searchOperations: readonly OperationRow[] = [
  {
    id: 'suggest',
    tag: 'Search',
    path: '/suggest',
    summary: 'Complete a search',
    description:
      'Completes what somebody types into a search box: brands, collections, nicknames, references and spec values that go on like the text, with the number of watches of each. The last word may be the beginning of one; mistyped words are corrected. `query` is the query string of the list of these watches.',
    found: 'The completions, brands first, then collections, nicknames, references and values.',
    query: [
      {
        name: 'q',
        type: 'string',
        max: queryLimits.suggestLength,
        meaning: 'What was typed so far.',
        example: 'q=omega%20sea',
      },
      {
        name: 'limit',
        type: 'integer',
        default: String(suggestLimits.default),
        max: suggestLimits.max,
        meaning: 'The maximum number of completions.',
        example: 'limit=5',
      },
    ],
    answers: ['SuggestionList'],
    examples: [
      example('collections', 'The collections of a brand', '/suggest?q=omega%20sea'),
      example('mistyped', 'A mistyped name', '/suggest?q=submarnr&limit=3'),
      invalid('/suggest'),
    ],
  },
  {
    id: 'resolve',
    tag: 'Search',
    method: 'POST',
    path: '/resolve',
    summary: 'Resolve titles',
    description: `Finds the watches that titles of offers mean, at most ${resolveLimits.texts} at a time, and reads what else they say. Each text is a string, or an object with \`text\`, \`brand\` and \`price\`. Every ${textsPerRequest} texts, or part of that, count as one request. Plans without the resolver may send one text at a time.`,
    found: 'For each text, in the same order, the watches that it may mean.',
    body: 'Titles',
    answers: ['ResolutionList'],
    problems: ['plan_excludes'],
    examples: [
      example('exact', 'A title with a reference', '/resolve', {
        body: { texts: ['*MINT* Rolex Sub Date 116610LV Full Set 2018 box+papers $14,500'] },
      }),
      example('ambiguous', 'A nickname that several watches have', '/resolve', {
        body: { texts: [{ text: 'Speedy Pro 2019', brand: 'Omega' }] },
      }),
      invalid('/resolve', { texts: ['', { text: 'Hulk', price: -1 }] }),
    ],
  },
]
