// Free-text searches, as the search field of a web page sends them while a visitor types: words of a watch, the last
// one unfinished.
import { integerBetween, pick, type Random, randomFrom } from '../catalogues/random.ts'
import { chromeFetch } from './clients.ts'
import { drawId, listPath, type Workload } from './workload.ts'

const typedMin = 2

export const text: Workload = {
  name: 'text',
  client: chromeFetch,
  draw: (from) => {
    const random = randomFrom(43)
    return () => {
      const { brand, collection, reference_number } = from.source.watchAt(drawId(random, from))
      const words = pick(random, [brand, `${brand} ${collection}`, collection, reference_number])
      return `${listPath}?q=${encodeURIComponent(typed(random, words))}`
    }
  },
}

/** The text up to the letter that the visitor has just typed. */
function typed(random: Random, words: string): string {
  return words.slice(0, integerBetween(random, Math.min(typedMin, words.length), words.length)).trim()
}
