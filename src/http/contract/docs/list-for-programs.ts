// Writes the texts for programs that read instead of browsing: /llms.txt in the format of llmstxt.org, with the grammar
// of a query and one call for each common task, /llms-full.txt with all pages, and /robots.txt.
import {
  type DocsEntry,
  docsEntries,
  docsGroups,
  markdownPathOf,
} from '../../../../web/pages/docs/docs-pages.ts'

/** What is asked for most, and the call that answers it. A test sends each of them. */
export const commonTasks: readonly (readonly [task: string, call: string])[] = [
  [
    'Steel divers of at least 200 m, cheapest first',
    'GET /watches?spec[case_material]=steel&spec[water_resistance:gte]=200 m&sort=retail_price_usd',
  ],
  [
    'Black or blue dials of 38 to 40 mm',
    'GET /watches?spec[dial_color:any]=Black,Blue&spec[case_diameter:gte]=38 mm&spec[case_diameter:lte]=40 mm',
  ],
  [
    'Watches of a brand between two prices',
    'GET /watches?brand=Omega&current_market_price:gte=2000&current_market_price:lt=8000',
  ],
  ['Words as people type them, mistakes included', 'GET /watches?q=submarner 40mm'],
  ['One watch, or several by id', 'GET /watches/1 · GET /watches?ids=1,2,3'],
  ['Which keys and values there are', 'GET /specs · GET /specs/dial_color'],
  ['How many watches of each kind', 'GET /watches?facets=movement_type,brand&per_page=1&fields=id'],
  ['The watch that a text means', 'POST /resolve {"texts": ["Rolex Sub Date 116610LV full set"]}'],
  ['The price history of a watch', 'GET /watches/1/prices'],
  [
    'Everything, without missing a watch',
    'GET /watches?after=0&per_page=100, then the URL of rel="next" in Link',
  ],
]

const grammar: readonly string[] = [
  'Send `Authorization: Bearer YOUR_API_KEY`. Answers are JSON: `data`, and `meta` with `current_page`, `per_page`, `total`.',
  '`spec[key]=value` keeps the watches with this value. Case, spacing, units and synonyms do not matter: `10 bar` is `100 m`.',
  '`spec[key:gte]=100 m`, `:gt`, `:lte`, `:lt` are ranges; the value may have any unit of the key.',
  '`spec[key:any]=Black,Blue` is one of several values (`\\,` is a comma); `spec[key:not]=v`, `spec[key:exists]=true`, `spec[key:exact]=v`.',
  '`retail_price_usd:gte=5000`, `current_market_price:lt=10000` are ranges of US dollars.',
  '`brand=`, `collection=`, `reference_number=`, `q=` (free text), `ids=1,2,3`. All conditions must match.',
  '`sort=-retail_price_usd` (a `-` descends), `page=2`, `per_page=100` (at most 100), `after=<id>`, `fields=id,brand,specs.dial_color`, `facets=dial_color`.',
  '`explain=1` shows how each filter was read. Send it once when a list is not what you expected.',
  'A name that nobody knows is told in `X-Unknown-Parameters`, `X-Unknown-Spec-Keys` or `X-Unknown-Words`; with `strict=1`, an unknown parameter is 422.',
  'A 422 has `errors` by field, each with the right form. A 429 of a spent day has `Retry-After` until 00:00 UTC: do not wait for it in a loop. A key `wd_test_…` costs no quota and reads the sample catalogue.',
]

export function listForPrograms(baseUrl: string): string {
  const groups = [...docsGroups()].map(([group, entries]) => {
    const lines = entries.map(
      (entry) => `- [${entry.name}](${baseUrl}${markdownPathOf(entry)}): ${entry.summary}`,
    )
    if (group === 'Reference') lines.push(...referenceLines(baseUrl))
    return `## ${group}\n\n${lines.join('\n')}`
  })
  return `# watchdata

> A catalogue of watches as a JSON API: brands, references, prices, and filters over every spec, with units. The base URL is ${baseUrl}/api/v1; every request carries a key in the header \`Authorization: Bearer YOUR_API_KEY\`.

## Grammar of a query

${grammar.map((line) => `- ${line}`).join('\n')}

Encode values: a space is \`%20\`. Brackets and colons may be sent as they are.

## One call for each common task

${commonTasks.map(([task, call]) => `- ${task}: \`${call}\``).join('\n')}

${groups.join('\n\n')}
`
}

/** All pages in one text, without the API reference, whose content /openapi.json has in a form that programs read better. */
export function allForPrograms(list: string, texts: ReadonlyMap<string, string>): string {
  const parts = docsEntries.filter(isText).map(({ file }) => texts.get(file) ?? '')
  return [list, ...parts]
    .map((text) => text.trim())
    .join('\n\n---\n\n')
    .concat('\n')
}

function isText({ group, file }: DocsEntry): boolean {
  return group !== 'Run it yourself' && file !== 'reference.md'
}

/** Pages may be read by anyone. The API needs a key, and what belongs to an account is nobody else's. */
export function robotsText(baseUrl: string): string {
  const closed = ['/api/', '/dashboard', '/sign-in', '/sign-up', '/setup', '/explore?', '/explore/compare']
  return `# For programs that read: ${baseUrl}/llms.txt, ${baseUrl}/llms-full.txt, ${baseUrl}/openapi.json
User-agent: *
${closed.map((path) => `Disallow: ${path}`).join('\n')}
`
}

function referenceLines(baseUrl: string): readonly string[] {
  return [
    `- [OpenAPI 3.1](${baseUrl}/openapi.json): The same for programs, with schemas and examples.`,
    `- [All pages in one text](${baseUrl}/llms-full.txt): The pages on using the API, without the reference.`,
  ]
}
