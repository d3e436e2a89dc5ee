// Implements GET /suggest: completes what somebody is typing, once for each version of the catalogue.
import { finish } from '../index/slices.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { SuggestQuery } from '../query/suggest-query.ts'
import { type Completion, completeText } from '../text/complete-text.ts'
import { selectIn } from './find-matches.ts'

const completionBytes = 300

export function suggest(index: WatchIndex, { text, limit }: SuggestQuery): readonly Completion[] {
  index.resultCache.freeSlots()
  return finish(
    index.resultCache.value(
      `suggest ${limit} ${text}`,
      // biome-ignore lint/correctness/useYield: bounded by what is compared at most
      function* () {
        return completeText(index, text, limit, selectIn(index))
      },
      (made) => made.length * completionBytes,
    ),
  )
}
