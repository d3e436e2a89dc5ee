// Finds the watches that fit a part of the text of `q`: any of its meanings, or all the smaller parts it consists of.
import { foldWords } from '../../specs/fold.ts'
import type { NicknameTarget } from '../../specs/nicknames.ts'
import { brandTerm, collectionIn } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { Filter, Price } from '../query/watch-query.ts'
import { emptySet, intersect, sparseSet, unite, type WatchSet } from '../sets/watch-set.ts'
import { setOfWord } from './find-word.ts'
import type { Meaning } from './meanings.ts'
import type { Bound } from './measures.ts'
import type { Part } from './parts.ts'

/** A set with so few members is faster to combine as a list. */
const listedMax = 1_000
/** Collections of a brand that a nickname is compared with. */
const collectionsMax = 5_000

/**
 * Makes sets that are valid until the next request, as those of `resultCache` are, and each only once. `select` returns
 * the watches that match filters.
 */
export class MeaningSets {
  readonly #index: WatchIndex
  readonly #select: (filters: readonly Filter[]) => WatchSet
  readonly #ofMeanings = new Map<Meaning, WatchSet>()
  readonly #ofParts = new Map<Part, WatchSet>()

  constructor(index: WatchIndex, select: (filters: readonly Filter[]) => WatchSet) {
    this.#index = index
    this.#select = select
  }

  /** Any of its meanings, or all of its inner parts. */
  ofPart(part: Part): WatchSet {
    return this.#ofParts.getOrInsertComputed(part, () => {
      const sets = part.meanings.map((meaning) => this.ofMeaning(meaning))
      if (part.inner.length > 0) sets.push(this.all(part.inner))
      return this.any(sets)
    })
  }

  ofMeaning(meaning: Meaning): WatchSet {
    return this.#ofMeanings.getOrInsertComputed(meaning, () => this.#make(meaning))
  }

  /** The watches that fit all of the parts. Parts after one that no watch fits need no set. */
  all(parts: readonly Part[]): WatchSet {
    const sets: WatchSet[] = []
    for (const part of parts) {
      const set = this.ofPart(part)
      if (set.count === 0) return emptySet
      sets.push(set)
    }
    return this.both(sets)
  }

  both(sets: readonly WatchSet[]): WatchSet {
    const [only] = sets
    if (only === undefined) return emptySet
    if (sets.length === 1) return only
    if (sets.some(({ count }) => count === 0)) return emptySet
    return this.settled(this.#keep(() => intersect(this.#index.postings.slots, sets, [])))
  }

  /** The same set, as a list if it has few members: that is faster to combine. */
  settled(set: WatchSet): WatchSet {
    const { slots } = this.#index.postings
    return set.slot === undefined || set.count > listedMax
      ? set
      : sparseSet(slots.members(set.slot, set.count))
  }

  /** The members of `set` that are not in `left`. */
  without(set: WatchSet, left: WatchSet): WatchSet {
    if (set.count === 0 || left.count === 0) return set
    return this.settled(this.#keep(() => intersect(this.#index.postings.slots, [set], [left])))
  }

  any(sets: readonly WatchSet[]): WatchSet {
    const filled = sets.filter(({ count }) => count > 0)
    const [only = emptySet] = filled
    return filled.length <= 1 ? only : this.#keep(() => unite(this.#index.postings.slots, filled))
  }

  /** The members of `within` that have any of the terms; others may be in the set, too. */
  ofTerms(terms: readonly number[], within: WatchSet): WatchSet {
    const { postings } = this.#index
    const sets = terms.map((term) => postings.get(term))
    // Few members are compared with each set: that is faster than to unite large sets.
    const isSmall = within.slot === undefined && within.count <= listedMax
    return this.any(isSmall ? sets.map((set) => this.both([within, set])) : sets)
  }

  /** The watches with any of the terms, kept under a name: other texts have the same words. */
  named(name: string, terms: readonly number[]): WatchSet {
    const { postings, resultCache } = this.#index
    const [only] = terms
    if (terms.length <= 1) return postings.get(only)
    return resultCache.set(name, () =>
      unite(
        postings.slots,
        terms.map((term) => postings.get(term)),
      ),
    )
  }

  #make(meaning: Meaning): WatchSet {
    const { postings } = this.#index
    switch (meaning.kind) {
      case 'word': {
        const { words, prefix } = meaning
        const sets = words
          .filter((word) => word !== prefix)
          .map((word) => setOfWord(this.#index, word, false))
        return this.any(prefix === undefined ? sets : [...sets, setOfWord(this.#index, prefix, true)])
      }
      case 'typo':
        return this.any(meaning.words.map((word) => setOfWord(this.#index, word, false)))
      case 'split':
      case 'value':
      case 'synonym':
        return this.any(meaning.terms.map((term) => postings.get(term)))
      case 'brand':
        return this.ofBrands(meaning.ids)
      case 'reference':
        return this.ofReference(meaning.folded, meaning.isPrefix)
      case 'nickname':
        return this.any(
          meaning.nicknames.map(({ brand, targets }) => {
            const ids = this.#index.brands.idsOf(brand)
            const watches = this.any(targets.map((target) => this.#ofTarget(target, ids)))
            return this.both([this.ofBrands(ids), watches])
          }),
        )
      case 'filter':
        return this.#select(meaning.filters)
      case 'price':
        return this.#ofPrice(meaning.bounds)
    }
  }

  ofBrands(ids: readonly number[]): WatchSet {
    const { dictionary, postings } = this.#index
    return this.any(ids.map((id) => postings.get(dictionary.find(brandTerm(id)))))
  }

  ofReference(folded: string, isPrefix: boolean): WatchSet {
    const { references } = this.#index
    return this.#keep(() => (isPrefix ? references.beginningWith(folded) : references.having(folded)))
  }

  #ofTarget(target: NicknameTarget, brandIds: readonly number[]): WatchSet {
    const { dictionary, postings } = this.#index
    if (target.kind === 'reference') return this.ofReference(target.folded, target.isPrefix)
    const terms = brandIds.flatMap((id) => {
      const collections = dictionary.valuesOf(dictionary.find(brandTerm(id))).subarray(0, collectionsMax)
      return [...collections].filter((term) => {
        const words = foldWords(collectionIn(dictionary.text(term)))
        return target.words.every((word) => words.includes(word))
      })
    })
    return this.any(terms.map((term) => postings.get(term)))
  }

  /** The market price counts; where a watch has none, the retail price. */
  #ofPrice(bounds: readonly Bound[]): WatchSet {
    const select = (price: Price) =>
      this.#select(
        bounds.map(({ operator, value }) => ({
          subject: price,
          key: price,
          operator,
          values: [String(value)],
        })),
      )
    const market = this.#index.columns.order('market')
    const priced = this.#keep(() => market.between(0, market.known))
    return this.any([select('current_market_price'), this.without(select('retail_price_usd'), priced)])
  }

  /** A slot that the set has is freed before the next request. */
  #keep(make: () => WatchSet): WatchSet {
    const set = make()
    return set.slot === undefined ? set : this.#index.resultCache.lend(set)
  }
}
