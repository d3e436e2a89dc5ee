// Tests the cache of answers: valid for one version of the catalogue, within its byte budget.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../test/databases/engines.ts'
import { openFresh } from '../../../test/databases/open-database.ts'
import { buildFresh, storeCatalogue } from '../../../test/search/stored-catalogue.ts'
import { CacheBudget } from '../../cache-budget.ts'
import { recordChanges } from '../../changes/log.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { Answer } from './answer.ts'
import { AnswerCache, type Cached } from './answer-cache.ts'
import { prepareList } from './prepare-list.ts'

const engine = createEngine()

async function openIndex(watches = 3) {
  const { database, clock } = await openFresh(engine)
  const watch = {
    brand: 0,
    step: 1,
    collection: 'x',
    reference_number: 'x',
    retail_price_usd: null,
    current_market_price: null,
    specs: '{}',
    updated_at: '2026-03-01T00:00:00.000Z',
  }
  await storeCatalogue(database, {
    brands: [{ name: 'Omega', slug: 'omega', aliases: [] }],
    watches: Array.from({ length: watches }, () => watch),
  })
  return { database, clock, index: await buildFresh(database) }
}

function answerOf(index: WatchIndex, rawQuery: string): Answer {
  const answer = new Answer(
    prepareList(index, 'http://a', rawQuery, () => ({ path: '/watches' })),
    'identity',
  )
  answer.complete(index)
  return answer
}

/** What is sent of an answer. */
function shown(answer: Answer | undefined) {
  return answer && { etag: answer.etag, sent: answer.sent.bytes.toString(), page: answer.page }
}

function openCache(maxBytes: number): AnswerCache<undefined> {
  return new AnswerCache(new CacheBudget(maxBytes))
}

function find(kept: AnswerCache<undefined>, index: WatchIndex, rawQuery: string): Answer | undefined {
  return kept.find(index, rawQuery, 'identity')?.answer
}

/** Looks an answer up as a request does: on a miss, makes it and offers it to the cache. */
function ask(kept: AnswerCache<undefined>, index: WatchIndex, rawQuery: string): Answer | undefined {
  const found = find(kept, index, rawQuery)
  const answer = answerOf(index, rawQuery)
  if (found === undefined && kept.wants(rawQuery, answer)) kept.keep(rawQuery, answer, undefined)
  return found
}

describe('a cached answer', () => {
  test('is found after a repeated request, by exactly the same raw query and by no other', async () => {
    const { index } = await openIndex()
    const kept = openCache(100_000)
    const [first, , third] = [1, 2, 3].map(() => ask(kept, index, 'page=1'))
    expect(first).toBeUndefined()
    expect(shown(third)).toEqual(shown(answerOf(index, 'page=1')))
    expect(ask(kept, index, 'page=1')).toBe(third)
    for (const other of ['', 'page=1&', 'page=01', 'PAGE=1', '__proto__', 'constructor']) {
      expect(find(kept, index, other)).toBeUndefined()
    }
  })

  test('is dropped when the catalogue changes', async () => {
    const { database, clock, index } = await openIndex()
    const kept = openCache(100_000)
    for (let time = 0; time < 3; time++) ask(kept, index, '')
    expect(kept.bytes).toBeGreaterThan(0)
    await recordChanges(database, clock, async (_tx, record) =>
      record({ type: 'brand.updated', subjectId: 1 }),
    )
    const later = await buildFresh(database)
    expect(find(kept, later, '')).toBeUndefined()
    expect(kept.bytes).toBe(0)
    for (let time = 0; time < 3; time++) ask(kept, later, '')
    expect(shown(find(kept, later, ''))).toEqual(shown(answerOf(later, '')))
    // Back to the first index: no old entry may be found.
    expect(find(kept, index, '')).toBeUndefined()
  })
})

test('an answer that was evicted while a request waited is neither used nor sent any more', async () => {
  const { index } = await openIndex()
  const kept = openCache(100_000)
  for (let time = 0; time < 2; time++) ask(kept, index, '')
  const found = kept.find(index, '', 'identity') as Cached<undefined>
  expect([kept.isCurrent(found, index), found.answer.isMade]).toEqual([true, true])
  kept.evict()
  expect([kept.isCurrent(found, index), found.answer.isMade, kept.bytes]).toEqual([false, false, 0])
})

test('an answer that was cached for a 304 and then made is counted once, and dropped once', async () => {
  const { index } = await openIndex()
  const kept = openCache(1_000_000)
  const prepared = prepareList(index, 'http://a', '', () => ({ path: '/watches' }))
  const answer = new Answer(prepared, 'identity')
  answer.empty()
  kept.find(index, '', 'identity')
  kept.keep('', answer, undefined)
  const emptyBytes = kept.bytes
  for (let time = 0; time < 3; time++) {
    answer.refill(prepared)
    answer.complete(index)
    kept.keep('', answer, undefined)
    expect(shown(find(kept, index, ''))).toEqual(shown(answerOf(index, '')))
  }
  expect(kept.bytes).toBeGreaterThan(emptyBytes)
  while (find(kept, index, '') !== undefined) kept.evict()
  kept.evict()
  expect(kept.bytes).toBe(0)
})

describe('cached answers', () => {
  const { signal } = new AbortController()

  test('are prepared for the next index, while those of the current one are still found', async () => {
    const { database, clock, index } = await openIndex()
    const kept = openCache(100_000)
    for (const rawQuery of ['', 'page=2', '', 'page=2', 'page=3']) ask(kept, index, rawQuery)
    await recordChanges(database, clock, async (_tx, record) =>
      record({ type: 'brand.updated', subjectId: 1 }),
    )
    const next = await buildFresh(database)
    const made: string[] = []
    const make = ({ url: rawQuery }: { url: string }) => {
      made.push(rawQuery)
      expect(shown(find(kept, index, rawQuery))).toEqual(shown(answerOf(index, rawQuery)))
      return answerOf(next, rawQuery)
    }
    await kept.prepare(next, make, signal)
    expect(made).toEqual(['', 'page=2'])
    expect(shown(find(kept, index, ''))).toEqual(shown(answerOf(index, '')))
    for (const rawQuery of made)
      expect(shown(find(kept, next, rawQuery))).toEqual(shown(answerOf(next, rawQuery)))
    expect(find(kept, next, 'page=3')).toBeUndefined()
  })

  test('are not found where they were prepared for another index, or for one that has changed since', async () => {
    const { database, index } = await openIndex()
    const kept = openCache(100_000)
    for (let time = 0; time < 2; time++) ask(kept, index, '')
    const [next, other] = [await buildFresh(database), await buildFresh(database)]
    await kept.prepare(next, ({ url }) => answerOf(next, url), signal)
    expect(find(kept, other, '')).toBeUndefined()
    expect(find(kept, next, '')).toBeUndefined()
  })

  test('that cannot be made for the next index do not hold up the others', async () => {
    const { database, index } = await openIndex()
    const kept = openCache(100_000)
    for (const rawQuery of ['', 'page=2', '', 'page=2']) ask(kept, index, rawQuery)
    const next = await buildFresh(database)
    const failing = {
      etag: '"a"',
      make: () => {
        throw new RangeError('full')
      },
    }
    const make = ({ url }: { url: string }) =>
      url === ''
        ? new Answer(failing, 'identity')
        : new Answer(
            prepareList(next, 'http://a', url, () => ({ path: '/watches' })),
            'identity',
          )
    await kept.prepare(next, make, signal)
    expect([find(kept, next, ''), shown(find(kept, next, 'page=2'))]).toEqual([
      undefined,
      shown(answerOf(next, 'page=2')),
    ])
  })

  test('are no longer prepared once the process is shutting down', async () => {
    const { database, index } = await openIndex()
    const kept = openCache(1_000_000)
    const queries = Array.from({ length: 50 }, (_, at) => `page=${at + 1}`)
    for (const rawQuery of [...queries, ...queries]) ask(kept, index, rawQuery)
    const next = await buildFresh(database)
    const stopping = new AbortController()
    const made: string[] = []
    const make = ({ url: rawQuery }: { url: string }) => {
      made.push(rawQuery)
      stopping.abort()
      for (const startMs = performance.now(); performance.now() - startMs < 2; );
      return answerOf(next, rawQuery)
    }
    await kept.prepare(next, make, stopping.signal)
    expect(made).toHaveLength(1)
    expect(find(kept, next, queries[0] as string)).toBeUndefined()
  })
})

describe('many answers', () => {
  const step = fc.record({
    kind: fc.oneof(
      { weight: 60, arbitrary: fc.constant('list') },
      { weight: 20, arbitrary: fc.constant('304') },
      { weight: 15, arbitrary: fc.constant('evict') },
      { weight: 1, arbitrary: fc.constant('change') },
    ),
    url: fc.nat(60),
    isWanted: fc.boolean(),
  })

  // In a small cache each answer has a segment of its own, in a large one many share one.
  test.each([2_000, 20_000, 500_000])(
    'are never mixed up and never exceed the byte budget of %i, whatever is made, cached and evicted',
    (maxBytes) => {
      const bodyOf = (url: number, version: number) => Buffer.alloc((url * 97) % 1_500, `${url}.${version} `)
      const answerOf = (url: number, version: number) => ({
        etag: `"${url}.${version}"`,
        make: () => ({ headers: {}, content: bodyOf(url, version) }),
      })
      fc.assert(
        fc.property(fc.array(step, { minLength: 100, maxLength: 300 }), (steps) => {
          const kept = openCache(maxBytes)
          const index = { head: { sequence: 1 } }
          const find = (url: number) => kept.find(index as WatchIndex, `${url}`, 'identity')?.answer
          for (const { kind, url, isWanted } of steps) {
            const { sequence } = index.head
            if (kind === 'evict') kept.evict()
            else if (kind === 'change') index.head = { sequence: isWanted ? sequence + 1 : sequence }
            else {
              const answer = find(url) ?? new Answer(answerOf(url, sequence), 'identity')
              if (kind === '304') answer.empty()
              else {
                // Sometimes once more, as an answer that is compressed better.
                if (answer.isEmpty || isWanted) answer.refill(answerOf(url, sequence))
                answer.complete(index as WatchIndex)
                expect(answer.sent.body).toEqual(bodyOf(url, sequence))
              }
              if (answer.hasChanged && (isWanted || answer.isCached)) kept.keep(`${url}`, answer, undefined)
            }
            expect(kept.bytes).toBeGreaterThanOrEqual(0)
            expect(kept.bytes).toBeLessThanOrEqual(maxBytes)
          }
          while (kept.bytes > 0) {
            const before = kept.bytes
            kept.evict()
            expect(kept.bytes).toBeLessThan(before)
          }
          expect(kept.bytes).toBe(0)
          for (const { url } of steps) expect(find(url)).toBeUndefined()
        }),
        { numRuns: 30 },
      )
    },
  )

  test('do not displace one that is requested all the time', async () => {
    const { index } = await openIndex()
    const kept = openCache(500_000)
    for (let time = 0; time < 2; time++) ask(kept, index, '')
    const others = Array.from({ length: 600 }, (_, at) => `page=${at + 1}`)
    for (const rawQuery of others) {
      for (let time = 0; time < 2; time++) ask(kept, index, rawQuery)
      expect(find(kept, index, '')).toBeDefined()
    }
    const stillCached = others.filter((rawQuery) => find(kept, index, rawQuery) !== undefined)
    expect(stillCached.length).toBeLessThan(500)
  })

  test('that exceed the byte budget are not cached, and use no bytes', async () => {
    const { index } = await openIndex()
    const kept = openCache(10)
    for (const rawQuery of ['', 'page=1', '', '', 'page=1']) {
      expect([ask(kept, index, rawQuery), kept.bytes]).toEqual([undefined, 0])
    }
  })

  test('count the bytes they hold: a page of many watches counts more than one of few', async () => {
    const { index } = await openIndex(100)
    // So small that each answer has a segment of its own, of its own size.
    const weigh = (rawQuery: string) => {
      const kept = openCache(20_000)
      for (let time = 0; time < 3; time++) ask(kept, index, rawQuery)
      return kept.bytes
    }
    expect(weigh('per_page=100')).toBeGreaterThan(weigh('per_page=1') + 600)
    expect(weigh(`x=${'y'.repeat(500)}`)).toBeGreaterThan(weigh('x=y') + 3 * 499)
  })
})
