// In charge of the table of synonyms, which the operator edits: groups of spellings that the trade uses for one
// thing, for some keys, for every key, or word by word. A spelling stands in at most one group that applies to a
// key; so the groups are classes of equal values, and no order among them has to be known.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../config.ts'
import { Failure } from '../errors.ts'
import { foldText } from './fold.ts'
import { findNumber } from './numbers.ts'
import { parseQuantity } from './quantities.ts'
import { anyKey, parseSynonymLines, type SynonymGroup, wordsSection } from './synonym-lines.ts'

export interface Synonyms {
  /** Changes with what the table means, not with its comments or order. */
  readonly digest: string
  /** The first spelling of the group, as written there; undefined for a value that is in no group. */
  find(key: string, folded: string): string | undefined
  /** As the operator wrote them. */
  readonly groups: readonly SynonymGroup[]
}

/** Folded spelling, its words already replaced → first spelling of the group as written. */
type Spellings = Map<string, string>

interface Tables {
  readonly words: Spellings
  /** By key, with `*` for every key. */
  readonly values: Map<string, Spellings>
  /** Where each spelling was met, for the message about the second time. */
  readonly lines: Map<string, number>
}

export const defaultSynonymsFile: string = path.join(packageRoot, 'catalogue', 'synonyms.txt')

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
  // Words first, wherever they stand in the file: the other groups hold for what is left after them.
  for (const group of groups) if (group.keys.includes(wordsSection)) addWords(tables, group, file)
  // Then those of every key, so that a key's own group cannot take a spelling away from one of them.
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

/** `isKnown` says that a word of the table occurs, be it the first of its group: `Blue-grey` as `Blue-gray`. */
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
    // Numbers and quantities are read before synonyms, so that such a rule would never be asked.
    const isMeasured = findNumber(folded) !== undefined || parseQuantity(key, folded) !== undefined
    if (isMeasured) fail(file, group, `“${spelling}” is a number or a quantity, which has no synonyms`)
    const { text } = replaceWords(tables.words, folded)
    const elsewhere = tables.lines.get(`${anyKey}\n${text}`)
    if (key !== anyKey && elsewhere !== undefined) failTwice(file, group, spelling, elsewhere)
    remember(tables, group, `${key}\n${text}`, spelling, file)
    const spellings = tables.values.get(key) ?? new Map()
    tables.values.set(key, spellings.set(text, first))
  }
}

function remember(tables: Tables, group: SynonymGroup, place: string, spelling: string, file: string): void {
  const before = tables.lines.get(place)
  if (before !== undefined) failTwice(file, group, spelling, before)
  tables.lines.set(place, group.line)
}

function failTwice(file: string, group: SynonymGroup, spelling: string, before: number): never {
  const where = before === group.line ? 'twice on this line' : `on line ${before} as well`
  fail(file, group, `“${spelling}” stands ${where}; keep it once`)
}

function fail(file: string, group: SynonymGroup, reason: string): never {
  throw new Failure(`${file}:${group.line}: ${reason}.`)
}

function digestOf(tables: Tables): string {
  const sorted = (spellings: Spellings) => [...spellings].sort(([a], [b]) => (a < b ? -1 : 1))
  const values = [...tables.values].sort(([a], [b]) => (a < b ? -1 : 1))
  const meaning = [sorted(tables.words), values.map(([key, spellings]) => [key, sorted(spellings)])]
  return createHash('sha256').update(JSON.stringify(meaning)).digest('hex').slice(0, 16)
}
