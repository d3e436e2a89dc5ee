// Reads the table of nicknames, which the operator edits: what people call brands and watches. `Hulk` stands for a
// reference, `AP` for a brand, and `Dive watch` for a filter of the API.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Failure } from '../errors.ts'
import { foldLetters, foldReference, foldWords } from './fold.ts'
import { tableLines } from './table-lines.ts'

export interface Nicknames {
  /** Changes with the meaning of the table, not with its comments. */
  readonly digest: string
  /** Groups of names of the same brand. */
  readonly brands: readonly (readonly string[])[]
  readonly filters: readonly FilterWords[]
  readonly watches: readonly Nickname[]
}

/** Everyday words that stand for a filter. */
interface FilterWords {
  readonly names: readonly string[]
  /** A query string of `GET /watches`, as it is written. */
  readonly query: string
  /** The file and line, for the message about a query that cannot be parsed. */
  readonly place: string
}

export interface Nickname {
  readonly brand: string
  readonly names: readonly string[]
  readonly targets: readonly NicknameTarget[]
}

export type NicknameTarget =
  | {
      readonly kind: 'reference'
      readonly written: string
      readonly folded: string
      readonly isPrefix: boolean
    }
  /** All collections of the brand that have these words in their name. */
  | { readonly kind: 'collection'; readonly written: string; readonly words: readonly string[] }

const brandsSection = 'brands'
const filtersSection = 'filters'
const section = /^\[([^[\]]+)\]$/
const quoted = /^"([^"]+)"$/

export const noNicknames: Nicknames = parseNicknames('', '')

export async function readNicknames(file: string): Promise<Nicknames> {
  try {
    return parseNicknames(await readFile(file, 'utf8'), file)
  } catch (error) {
    if (error instanceof Failure) throw error
    throw new Failure(`The nicknames in ${file} cannot be read: ${(error as NodeJS.ErrnoException).code}.`)
  }
}

export function parseNicknames(text: string, file: string): Nicknames {
  const brands: string[][] = []
  const filters: FilterWords[] = []
  const watches: Nickname[] = []
  const table = { file, about: 'nicknames', example: '[Rolex]', parseSection }
  for (const { section: name, content, place } of tableLines(text, table)) {
    if (name === brandsSection) brands.push(parseBrand(content, place))
    else {
      const { names, meaning } = splitLine(content, place)
      if (name === filtersSection) filters.push({ names, query: meaning, place })
      else watches.push({ brand: name, names, targets: parseTargets(meaning, place) })
    }
  }
  refuseSharedNames(brands, file)
  const digest = createHash('sha256')
    .update(JSON.stringify([brands, filters, watches]))
    .digest('hex')
  return { digest: digest.slice(0, 16), brands, filters, watches }
}

function parseSection(content: string, place: string): string {
  const [, name = ''] = section.exec(content) ?? []
  if (name.trim() === '') {
    throw new Failure(`${place}: a section is written [Brand], [${brandsSection}] or [${filtersSection}].`)
  }
  return name.trim()
}

function parseBrand(content: string, place: string): string[] {
  const names = parseNames(content, place)
  if (names.length >= 2) return names
  throw new Failure(`${place}: a brand is written Name = Short name, with two names or more.`)
}

function splitLine(content: string, place: string): { names: string[]; meaning: string } {
  const at = content.indexOf(':')
  const meaning = at === -1 ? '' : content.slice(at + 1).trim()
  if (meaning === '') {
    throw new Failure(`${place}: a line is written Nickname = Other nickname: what it stands for.`)
  }
  return { names: parseNames(content.slice(0, at), place), meaning }
}

function parseNames(content: string, place: string): string[] {
  const names = content.split('=').map((name) => name.trim())
  const empty = names.find((name) => foldLetters(name) === '')
  if (empty !== undefined) throw new Failure(`${place}: “${empty}” is no name: it has no letter or digit.`)
  return names
}

function parseTargets(meaning: string, place: string): NicknameTarget[] {
  return meaning.split(',').map((part) => {
    const written = part.trim()
    const [, collection] = quoted.exec(written) ?? []
    if (collection !== undefined) return { kind: 'collection', written, words: foldWords(collection) }
    const isPrefix = written.endsWith('*')
    const folded = foldReference(isPrefix ? written.slice(0, -1) : written)
    if (folded === '' || /["*]/.test(folded)) {
      throw new Failure(
        `${place}: “${written}” must be a reference, the beginning of one and a *, or a collection in quotes.`,
      )
    }
    return { kind: 'reference', written, folded, isPrefix }
  })
}

/** A short name of two brands would mean either. */
function refuseSharedNames(brands: readonly (readonly string[])[], file: string): void {
  const known = new Map<string, string>()
  for (const names of brands) {
    for (const letters of new Set(names.map(foldLetters))) {
      const other = known.get(letters)
      if (other !== undefined) {
        throw new Failure(
          other === names[0]
            ? `${file}: ${other} has two lines in [${brandsSection}]; write all its names in one.`
            : `${file}: ${other} and ${names[0]} have the same short name; keep it once.`,
        )
      }
      known.set(letters, names[0] as string)
    }
  }
}
