// Parses the lines of the table of synonyms: comments, sections and groups of spellings. synonyms.ts determines what
// the groups mean together.
import { Failure } from '../errors.ts'
import { tableLines } from './table-lines.ts'

export interface SynonymGroup {
  readonly line: number
  /** Spec keys, `*` or `words`. */
  readonly keys: readonly string[]
  /** At least two, as in the file. */
  readonly spellings: readonly string[]
}

/** The section whose groups apply to every key. */
export const anyKey = '*'
/** The section whose groups are replaced word by word. */
export const wordsSection = 'words'

const section = /^\[([^[\]]*)\]$/

export function parseSynonymLines(text: string, file: string): SynonymGroup[] {
  const lines = tableLines(text, { file, about: 'synonyms', example: `[${anyKey}]`, parseSection })
  return Array.from(lines, ({ line, section: keys, content, place }) => ({
    line,
    keys,
    spellings: parseGroup(content, place),
  }))
}

function parseSection(content: string, place: string): readonly string[] {
  const [, inside = ''] = section.exec(content) ?? []
  const keys = inside.split(',').map((key) => key.trim())
  if (keys.includes('')) throw new Failure(`${place}: a section is written [key] or [key, other_key].`)
  if (new Set(keys).size < keys.length) throw new Failure(`${place}: a key appears twice in the section.`)
  const special = keys.find((key) => key === anyKey || key === wordsSection)
  if (special !== undefined && keys.length > 1) {
    throw new Failure(`${place}: [${special}] already applies to every key and must stand alone.`)
  }
  return keys
}

function parseGroup(content: string, place: string): readonly string[] {
  const spellings = content.split('=').map((spelling) => spelling.trim())
  if (spellings.length < 2 || spellings.includes('')) {
    throw new Failure(`${place}: a group is written Spelling = Other spelling, with two spellings or more.`)
  }
  return spellings
}
