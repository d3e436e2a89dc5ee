// Reads the lines of the tables that people write by hand: comments are left out, and every line belongs to a section, such
// as `[Rolex]`. The tables themselves (synonyms, nicknames, references) parse what stands in their sections and lines.
import { Failure } from '../errors.ts'

interface TableLine<Section> {
  readonly section: Section
  readonly content: string
  readonly line: number
  /** The file and line, for messages. */
  readonly place: string
}

export interface Table<Section> {
  readonly file: string
  /** What the table is of, and the name of a section, for messages. */
  readonly about: string
  readonly example: string
  readonly parseSection: (content: string, place: string) => Section
}

/** The tables are written by hand; a larger file is the wrong file. */
const charsMax = 1_000_000
const comment = /(?:^|\s)#.*$/

export function* tableLines<Section>(
  text: string,
  { file, about, example, parseSection }: Table<Section>,
): Generator<TableLine<Section>> {
  if (text.length > charsMax)
    throw new Failure(`${file} is not a table of ${about}: it has more than ${charsMax} characters.`)
  let section: Section | undefined
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const place = `${file}:${index + 1}`
    const content = written.replace(comment, '').trim()
    if (content === '') continue
    if (content.startsWith('[')) section = parseSection(content, place)
    else if (section === undefined)
      throw new Failure(`${place}: a section such as ${example} must come first.`)
    else yield { section, content, line: index + 1, place }
  }
}
