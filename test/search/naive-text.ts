// Checks a single watch against a text as the index has read it: every meaning by the plain data of the watch, without
// the sets of the index.
import { isWithin, keyOfValue, meaningOf, writtenText } from '../../src/search/dictionary/terms.ts'
import type { WatchIndex } from '../../src/search/index/watch-index.ts'
import { findTextOf } from '../../src/search/results/find-matches.ts'
import type { Meaning } from '../../src/search/text/meanings.ts'
import type { Part } from '../../src/search/text/parts.ts'
import { foldText, foldWords } from '../../src/specs/fold.ts'
import type { Nickname } from '../../src/specs/nicknames.ts'
import { filterTest } from './naive-list.ts'
import type { NaiveWatch } from './naive-watches.ts'

export function textTest(index: WatchIndex, text: string): (watch: NaiveWatch) => boolean {
  const { parts, dropped } = findTextOf(index, text).reading
  // A text such as `watch for men` tells nothing: all watches fit it.
  const mayFit = parts.length > 0 || dropped.length === 0
  return (watch) => mayFit && parts.every((part) => fitsPart(index, watch, part))
}

function fitsPart(index: WatchIndex, watch: NaiveWatch, { meanings, inner }: Part): boolean {
  const isWhole = meanings.some((meaning) => fits(index, watch, meaning))
  return isWhole || (inner.length > 0 && inner.every((part) => fitsPart(index, watch, part)))
}

function fits(index: WatchIndex, watch: NaiveWatch, meaning: Meaning): boolean {
  switch (meaning.kind) {
    case 'word': {
      const { words, prefix } = meaning
      const begins = prefix !== undefined && [...watch.words].some((one) => one.startsWith(prefix))
      return begins || words.some((word) => watch.words.has(word))
    }
    case 'typo':
      return meaning.words.some((word) => watch.words.has(word))
    case 'split':
    case 'value':
    case 'synonym':
      return meaning.terms.some((term) => hasTerm(watch, index.dictionary.text(term)))
    case 'brand':
      return meaning.ids.includes(watch.brand.id)
    case 'reference':
      return hasReference(watch, meaning.folded, meaning.isPrefix)
    case 'nickname':
      return meaning.nicknames.some((nickname) => hasNickname(index, watch, nickname))
    case 'filter':
      return meaning.filters.every((filter) => filterTest(filter, index.vocabulary)(watch))
    case 'price': {
      const price = watch.row.current_market_price ?? watch.row.retail_price_usd
      return price !== null && meaning.bounds.every(({ operator, value }) => isWithin(price, operator, value))
    }
  }
}

function hasTerm({ collection, specs, row }: NaiveWatch, term: string): boolean {
  const key = keyOfValue(term)
  if (key === undefined) return row.collection !== '' && collection.exact.slice(1) === writtenText(term)
  const meaning = meaningOf(term, key)
  return (specs.get(key) ?? []).some(
    ({ scalar, reading }) =>
      reading.term === meaning || reading.exact === meaning || `w${foldText(String(scalar))}` === meaning,
  )
}

function hasReference({ reference }: NaiveWatch, folded: string, isPrefix: boolean): boolean {
  return isPrefix ? reference.startsWith(folded) : reference === folded
}

function hasNickname(index: WatchIndex, watch: NaiveWatch, { brand, targets }: Nickname): boolean {
  if (!index.brands.idsOf(brand).includes(watch.brand.id)) return false
  return targets.some((target) => {
    if (target.kind === 'reference') return hasReference(watch, target.folded, target.isPrefix)
    const words = foldWords(watch.row.collection)
    return target.words.every((word) => words.includes(word))
  })
}
