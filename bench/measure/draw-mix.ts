// Draws the mix: combinations of filters, each with a page that exists. The service is asked for the total of every
// combination first; use a separate process for that, so that the measured one has seen no request yet.
import type { Catalogue } from '../catalogues/kept-catalogues.ts'
import { integerBetween, randomFrom } from '../catalogues/random.ts'
import { curl } from '../workloads/clients.ts'
import { medianOf } from './load.ts'
import { tellStep } from './report.ts'
import { drawCombination, type Source } from './requests.ts'
import { askAll } from './serving-process.ts'

export interface MixRequest {
  /** Query string with a page. */
  readonly query: string
  readonly meaning: string
}

const perPage = 25
const mixSeed = 11
const pageSeed = 17

export async function drawMix(
  url: string,
  { key, count: watches }: Catalogue,
  source: Source,
  wanted: number,
): Promise<MixRequest[]> {
  const random = randomFrom(mixSeed)
  const combinations = Array.from({ length: wanted }, () => drawCombination(random, source))
  const questions = combinations.map(({ query }) => ({ path: `/api/v1/watches?${query}&per_page=1` }))
  const totals: number[] = []
  await askAll(url, curl(key), questions, ({ body }, index) => {
    totals[index] = JSON.parse(body.toString()).meta.total
  })
  if (totals.every((total) => total === watches))
    tellStep('  WARNING: every total is the whole catalogue; this service ignores filters')
  const empty = totals.indexOf(0)
  if (empty >= 0)
    throw new Error(`${combinations[empty]?.query} was drawn from the catalogue but matches no watch`)
  const different = new Set(combinations.map(({ meaning }) => meaning)).size
  tellStep(`mix: of ${wanted} combinations ${different} different, median total ${medianOf(totals)}`)
  const randomPage = randomFrom(pageSeed)
  return combinations.map(({ query, meaning }, index) => {
    const page = integerBetween(randomPage, 1, Math.max(1, Math.ceil((totals[index] ?? 0) / perPage)))
    return { query: `${query}&page=${page}`, meaning }
  })
}
