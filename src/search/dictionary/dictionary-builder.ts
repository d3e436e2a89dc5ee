// Collects the terms of all watches and packs them into a dictionary, with its lists sorted. Sorting them here, in the
// worker thread, saves every request from it.
import type { MemoryBlocks } from '../sets/memory-blocks.ts'
import { AddedTerms } from './added-terms.ts'
import type { DictionaryParts } from './dictionary.ts'
import { packSpelling } from './similar-words.ts'
import { beginningOf, compareTexts, sortByText } from './sort-by-text.ts'
import { TermTableBuilder } from './term-table.ts'
import { wordOf } from './terms.ts'

/** Longer lists of terms are sorted by sortByText. */
const plainSortMax = 1_000

export class DictionaryBuilder extends AddedTerms<TermTableBuilder> {
  constructor() {
    super(new TermTableBuilder(), [])
  }

  get size(): number {
    return this.table.size
  }

  pack(memory: MemoryBlocks): DictionaryParts {
    const numberOf = (term: number) => this.numbers.get(term) as number
    const values = this.values.pack(memory, (list) => this.#byText(list))
    const numeric = this.values.pack(memory, (list) =>
      list.filter((term) => this.numbers.has(term)).sort((one, other) => numberOf(one) - numberOf(other)),
    )
    const numbers = memory.numbers(numeric.items.length)
    numeric.items.forEach((term, at) => {
      numbers[at] = numberOf(term)
    })
    const words = memory.copyOfWords(this.#byText(this.words))
    const ownerStarts = memory.words(words.length + 1)
    words.forEach((word, at) => {
      ownerStarts[at + 1] = (ownerStarts[at] as number) + this.owners.added(word).length
    })
    const owners = memory.words(ownerStarts[words.length] as number)
    words.forEach((word, at) => {
      owners.set(this.owners.added(word), ownerStarts[at])
    })
    const keys = memory.copyOfWords(Uint32Array.from(this.keys))
    // Not those that only references have: a million references have a million words, and one wrong digit is another watch.
    const owned = words.filter((word) => this.owners.added(word).length > 0)
    const spelling = packSpelling(memory, owned, (word) => wordOf(this.table.text(word)))
    const lists = { keys, values, numeric, numbers, words, ownerStarts, owners, spelling }
    return { terms: this.table.pack(memory), ...lists }
  }

  #byText(terms: readonly number[]): Uint32Array {
    const textOf = (at: number) => this.table.text(terms[at] as number)
    if (terms.length <= plainSortMax) {
      const sorted = terms
        .map((term, at) => ({ term, text: textOf(at) }))
        .sort((one, other) => compareTexts(one.text, other.text))
      return Uint32Array.from(sorted, ({ term }) => term)
    }
    const skipped = sharedLength(terms.length, textOf)
    const beginnings = Float64Array.from(terms, (_, at) => beginningOf(textOf(at).slice(skipped)))
    return sortByText(beginnings, textOf).map((at) => terms[at] as number)
  }
}

/** Returns how many characters all texts have in common at their start: those do not help to sort them. */
function sharedLength(count: number, textOf: (at: number) => string): number {
  const first = textOf(0)
  let length = first.length
  for (let at = 1; at < count; at++) {
    const text = textOf(at)
    while (!text.startsWith(first.slice(0, length))) length--
  }
  return length
}
