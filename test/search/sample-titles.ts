// Resolves titles over the sample, with candidates by name, for tests.
import { beforeAll } from 'vitest'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { type Resolution, resolveTitle } from '../../src/search/resolve/resolve.ts'
import { selectIn } from '../../src/search/results/find-matches.ts'
import { openSampleIndex } from '../eval/sample-index.ts'

export interface Named {
  readonly match: Resolution['match']
  readonly read: Resolution['read']
  readonly candidates: readonly {
    readonly name: string
    readonly confidence: number
    readonly reasons: readonly string[]
  }[]
  readonly names: readonly string[]
  readonly first: string | undefined
}

interface SampleTitles {
  /** Every watch of the sample; empty before the first test. */
  readonly watches: readonly ReturnType<WatchIndex['watchAt']>[]
  resolve(text: string, more?: { brand?: string; price?: number }): Named
}

/** Opens the sample before the first test. Use the result only in tests. */
export function resolveSampleTitles(): SampleTitles {
  let index: WatchIndex
  const watches: ReturnType<WatchIndex['watchAt']>[] = []
  beforeAll(async () => {
    index = await openSampleIndex()
    for (let ordinal = 0; ordinal < index.size; ordinal++) watches.push(index.watchAt(ordinal))
  })
  return { watches, resolve: (text, more = {}) => resolveNamed(index, text, more) }
}

function resolveNamed(index: WatchIndex, text: string, more: { brand?: string; price?: number }): Named {
  index.resultCache.freeSlots()
  const { match, read, candidates } = resolveTitle(index, selectIn(index), { text, ...more })
  const named = candidates.map(({ ordinal, ...rest }) => {
    const { brand, reference_number } = index.watchAt(ordinal)
    return { name: `${brand}/${reference_number}`, ...rest }
  })
  return { match, read, candidates: named, names: named.map(({ name }) => name), first: named[0]?.name }
}

export function isClaimed({ match }: Named): boolean {
  return match === 'exact' || match === 'likely'
}
