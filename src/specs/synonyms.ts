// Reads the table of synonyms, which the operator edits: groups of spellings for the same thing, for some keys, for
// every key, or for single words. For each key a spelling is in at most one group, so the order of the groups does not
// matter.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Failure } from '../errors.ts'
import { foldText } from './fold.ts'
import { findNumber } from './numbers.ts'
import { parseQuantity } from './quantities.ts'
import { anyKey, parseSynonymLines, type SynonymGroup, wordsSection } from './synonym-lines.ts'

export interface Synonyms {
  /** Changes with the meaning of the table, not with its comments or order. */
  readonly digest: string
  /** Returns the first spelling of the value's group, as in the file; undefined if the value is in no group. */
  find(key: string, folded: string): string | undefined
  /** The groups as the operator wrote them. */
  readonly groups: readonly SynonymGroup[]
}

export { anyKey, wordsSection }

/** From the folded spelling, with words already replaced, to the first spelling of the group as in the file. */
type Spellings = Map<string, string>

interface Tables {
  readonly words: Spellings
  /** The spellings by key; `*` applies to every key. */
  readonly values: Map<string, Spellings>
  /** The line of each spelling, for the error message about a duplicate. */
  readonly lines: Map<string, number>
}

const word = /[\p{L}\p{N}\p{M}]+/gu
const oneWord = /^[\p{L}\p{N}\p{M}]+$/u

export async function readSynonyms(file: string): Promise<Synonyms> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new Failure(`The synonyms in ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
  return parseSynonyms(text, file)
}

export function parseSynonyms(text: string, file: string): Synonyms {
  const groups = parseSynonymLines(text, file)
  const tables: Tables = { words: new Map(), values: new Map([[anyKey, new Map()]]), lines: new Map() }
  // Words first, wherever they are in the file: the other groups apply to values whose words are already replaced.
  for (const group of groups) if (group.keys.includes(wordsSection)) addWords(tables, group, file)
  // Then the groups for every key, so that a spelling of theirs in a group for one key is found to be a duplicate.
  for (const group of groups) if (group.keys.includes(anyKey)) addValues(tables, group, anyKey, file)
  for (const group of groups) {
    for (const key of group.keys) {
      if (key !== wordsSection && key !== anyKey) addValues(tables, group, key, file)
    }
  }
  return { digest: digestOf(tables), find: (key, folded) => find(tables, key, folded), groups }
}

function find(tables: Tables, key: string, folded: string): string | undefined {
  const replaced = replaceWords(tables.words, folded)
  return (
    tables.values.get(key)?.get(replaced.text) ??
    tables.values.get(anyKey)?.get(replaced.text) ??
    tables.words.get(replaced.text) ??
    (replaced.isKnown ? replaced.text : undefined)
  )
}

/** `isKnown` is true if a word of the table occurs, even the first of its group: in `Blue-grey` and `Blue-gray`. */
function replaceWords(words: Spellings, folded: string): { text: string; isKnown: boolean } {
  let isKnown = false
  const text = folded.replace(word, (met) => {
    const first = words.get(met)
    if (first === undefined) return met
    isKnown = true
    return foldText(first)
  })
  return { text, isKnown }
}

function addWords(tables: Tables, group: SynonymGroup, file: string): void {
  const [first = ''] = group.spellings
  for (const spelling of group.spellings) {
    const folded = foldText(spelling)
    if (!oneWord.test(folded)) fail(file, group, `“${spelling}” is not one word, as [${wordsSection}] needs`)
    if (findNumber(folded) !== undefined)
      fail(file, group, `“${spelling}” is a number, which has no synonyms`)
    remember(tables, group, `${wordsSection}\n${folded}`, spelling, file)
    tables.words.set(folded, first)
  }
}

function addValues(tables: Tables, group: SynonymGroup, key: string, file: string): void {
  const [first = ''] = group.spellings
  for (const spelling of group.spellings) {
    const folded = foldText(spelling)
    // Values are read as numbers and quantities before synonyms, so such a rule would never apply.
    const isMeasured = findNumber(folded) !== undefined || parseQuantity(key, folded) !== undefined
    if (isMeasured) fail(file, group, `“${spelling}” is a number or a quantity, which has no synonyms`)
    const { text } = replaceWords(tables.words, folded)
    const elsewhere = tables.lines.get(`${anyKey}\n${text}`)
    if (key !== anyKey && elsewhere !== undefined) failTwice(file, group, spelling, elsewhere)
    remember(tables, group, `${key}\n${text}`, spelling, file)
    tables.values.getOrInsertComputed(key, () => new Map()).set(text, first)
  }
}

function remember(tables: Tables, group: SynonymGroup, place: string, spelling: string, file: string): void {
  const before = tables.lines.get(place)
  if (before !== undefined) failTwice(file, group, spelling, before)
  tables.lines.set(place, group.line)
}

function failTwice(file: string, group: SynonymGroup, spelling: string, before: number): never {
  const where = before === group.line ? 'twice on this line' : `on line ${before} as well`
  fail(file, group, `“${spelling}” appears ${where}; keep it once`)
}

function fail(file: string, group: SynonymGroup, reason: string): never {
  throw new Failure(`${file}:${group.line}: ${reason}.`)
}

function digestOf(tables: Tables): string {
  const sorted = <Value>(byText: Map<string, Value>) => [...byText].sort(([a], [b]) => (a < b ? -1 : 1))
  const values = sorted(tables.values).map(([key, spellings]) => [key, sorted(spellings)])
  const meaning = [sorted(tables.words), values]
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex').slice(0, 16)
}
