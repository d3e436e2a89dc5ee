// Runs searches, suggestions and titles with something of everything before the service is ready: to compile their code and
// regular expressions holds the event loop for a tenth of a second, which the first requests would wait for.
import type { WatchIndex } from '../index/watch-index.ts'
import { parseSuggestQuery } from '../query/suggest-query.ts'
import { selectIn } from '../results/find-matches.ts'
import { prepareList } from '../results/list-watches.ts'
import { readQuery } from '../results/read-query.ts'
import { suggest } from '../results/suggest.ts'
import { resolveTitle } from './resolve.ts'

const anyTitle = '*MINT* Rolex Submariner "Hulk" Ref. 116610LV 40mm steel, green dial, full set 2018, $14,500'
const titleWithoutReference = 'Omega Speedmaster Moonwatch black dial 42 mm, box & papers 2019'
const anySearch = 'seko dver hulk 116610 lv 36-40mm 300m under $5,000 skydweller'
const anyBeginning = 'submarnr'
/** V8 compiles a regular expression at its first use, and again, better, at its second. */
const rounds = 3
/** A list may have a hundred titles: the first of them should not be four times as slow as the last. */
const titleRounds = 10

export function prepareFirstUse(index: WatchIndex): void {
  for (let round = 0; round < rounds; round++) {
    // Another text each time: results are cached.
    suggest(index, parseSuggestQuery(`q=${anyBeginning}${'x'.repeat(round)}`))
    const query = `q=${encodeURIComponent(`${anySearch} ${round}`)}&explain=1`
    prepareList(index, readQuery(index, query)).find().body()
  }
  for (let round = 0; round < titleRounds; round++) {
    for (const text of [anyTitle, titleWithoutReference]) {
      index.resultCache.freeSlots()
      resolveTitle(index, selectIn(index), { text })
    }
  }
}
