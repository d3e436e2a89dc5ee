// The words in the names of spec keys, as people type them beside a value: `green dial`, `100 h power reserve`.
import { foldWords } from '../../specs/fold.ts'
import { keyOf } from '../dictionary/terms.ts'
import type { WatchIndex } from '../index/watch-index.ts'

export interface KeyWords {
  /** The keys that have the word in their name. */
  readonly byWord: ReadonlyMap<string, ReadonlySet<string>>
  /** Keys that fewer than half of the watches have, by the letters of their name: to have one tells something. */
  readonly rare: ReadonlyMap<string, string>
}

/** Keys that are looked at. */
const keysMax = 1_000
/** A word in the names of more keys says little about a value. */
const sharedMax = 6

/** What the parts of a watch are called elsewhere. */
const otherLanguages: readonly (readonly [word: string, english: string])[] = [
  ...(['zifferblatt', 'cadran', 'quadrante', 'esfera'] as const).map((word) => [word, 'dial'] as const),
  ...(['armband', 'bracciale', 'brazalete', 'pulsera'] as const).map((word) => [word, 'bracelet'] as const),
  ...(['gehause', 'boitier', 'cassa', 'caja'] as const).map((word) => [word, 'case'] as const),
  ...(['lunette', 'lunetta', 'bisel'] as const).map((word) => [word, 'bezel'] as const),
]

let last: { index: WatchIndex; version: string; words: KeyWords } | undefined

export function keyWordsOf(index: WatchIndex): KeyWords {
  if (last?.index !== index || last.version !== index.version) {
    last = { index, version: index.version, words: readKeyWords(index) }
  }
  return last.words
}

function readKeyWords({ dictionary, postings, size }: WatchIndex): KeyWords {
  const byWord = new Map<string, Set<string>>()
  const rare = new Map<string, string>()
  for (const term of dictionary.keys.slice(0, keysMax)) {
    const count = postings.count(term)
    if (count === 0) continue
    const key = keyOf(dictionary.text(term))
    const words = foldWords(key.replaceAll('_', ' '))
    for (const word of words) byWord.getOrInsertComputed(word, () => new Set()).add(key)
    if (count * 2 < size) rare.set(words.join(''), key)
  }
  for (const [word, english] of otherLanguages) {
    const keys = byWord.get(english)
    if (keys !== undefined && !byWord.has(word)) byWord.set(word, keys)
  }
  for (const [word, keys] of byWord) if (keys.size > sharedMax) byWord.set(word, new Set())
  return { byWord, rare }
}
