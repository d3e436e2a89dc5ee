// Reads the parts of a workbook that describe it: the list of its sheets, and where its sheets, styles and texts are.
import path from 'node:path'
import { Failure } from '../../errors.ts'
import { sheetBytesMax, sheetsMax } from '../limits.ts'
import { shownText } from '../shown-text.ts'
import type { ZipParts } from '../zip/zip-content.ts'
import type { ZipEntry, ZipSource } from '../zip/zip-directory.ts'
import { readEntry } from '../zip/zip-entry.ts'
import { BadXml, type XmlAttributes, type XmlHandler, XmlTokens } from './xml-tokens.ts'

export interface Sheet {
  readonly name: string
  readonly isHidden: boolean
  readonly part: ZipEntry
}

export interface Workbook {
  readonly sheets: readonly Sheet[]
  /** Whether days are counted from 1904, as old versions of Excel for Mac do. */
  readonly is1904: boolean
  readonly styles: ZipEntry | undefined
  readonly texts: ZipEntry | undefined
}

interface Relation {
  /** The last word of the type: `worksheet`, `styles`. */
  readonly type: string
  readonly target: string
}

const sheetNameCharsMax = 100

export async function readWorkbook(source: ZipSource, parts: ZipParts): Promise<Workbook> {
  const top = await readRelations(source, parts, '')
  const main = [...top.values()].find(({ type }) => type === 'officeDocument')?.target ?? 'xl/workbook.xml'
  const part = parts.get(main)
  if (part === undefined) throw new BadXml('it has no workbook in it')
  const relations = await readRelations(source, parts, main)
  const listed: { name: string; state: string; id: string }[] = []
  let is1904 = false
  await readPartXml(source, part, (name, attributes) => {
    if (name === 'workbookPr') is1904 = /^(1|true|on)$/.test(attributes.get('date1904') ?? '')
    if (name !== 'sheet') return
    if (relations.size === 0) throw new BadXml('the list of its parts is missing')
    if (listed.length === sheetsMax) throw new BadXml(`it has more than ${sheetsMax} sheets`)
    listed.push({
      name: shownText(attributes.get('name') ?? '', sheetNameCharsMax),
      state: attributes.get('state') ?? 'visible',
      id: attributes.get('id') ?? '',
    })
  })
  const partOf = (wanted: string) =>
    parts.get([...relations.values()].find(({ type }) => type === wanted)?.target ?? '')
  return {
    // Sheets of charts and dialogs have no cells.
    sheets: listed.flatMap(({ name, state, id }) => {
      const relation = relations.get(id)
      if (relation !== undefined && relation.type !== 'worksheet') return []
      const sheet = parts.get(relation?.target ?? '')
      if (sheet === undefined) throw new BadXml(`its sheet "${name}" is missing`)
      return [{ name, isHidden: state !== 'visible', part: sheet }]
    }),
    is1904,
    styles: partOf('styles'),
    texts: partOf('sharedStrings'),
  }
}

/** Reads a part of the workbook, of which only the tags count. */
export function readPartXml(
  source: ZipSource,
  part: ZipEntry,
  open: (name: string, attributes: XmlAttributes) => void,
  close: (name: string) => void = () => {},
): Promise<void> {
  return readXml(source, part, { open, close, text: () => {} })
}

export async function readXml(source: ZipSource, part: ZipEntry, handler: XmlHandler): Promise<void> {
  refuseHuge(source, part)
  const tokens = new XmlTokens(handler)
  for await (const chunk of readEntry(source, part)) tokens.read(chunk)
  tokens.end()
}

/** Refuses a part by its size in the directory, before anything of it is read. */
export function refuseHuge({ name }: ZipSource, { bytes }: Pick<ZipEntry, 'bytes'>): void {
  if (bytes <= sheetBytesMax) return
  throw new Failure(
    `${name} unpacks to ${gigabytes(bytes)}, and at most ${gigabytes(sheetBytesMax)} are read: save it as CSV.`,
  )
}

function gigabytes(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}

/** The relations of a part (`xl/workbook.xml`), or of the whole package (``), by their ids. */
async function readRelations(source: ZipSource, parts: ZipParts, of: string): Promise<Map<string, Relation>> {
  const { dir, base } = path.posix.parse(of)
  const part = parts.get(path.posix.join(dir, '_rels', `${base}.rels`))
  const relations = new Map<string, Relation>()
  if (part === undefined) return relations
  await readPartXml(source, part, (name, attributes) => {
    if (name !== 'Relationship' || attributes.get('TargetMode') === 'External') return
    relations.set(attributes.get('Id') ?? '', {
      type: attributes.get('Type')?.split('/').at(-1) ?? '',
      // Some programs on Windows write backslashes.
      target: path.posix
        .resolve('/', dir, (attributes.get('Target') ?? '').replaceAll('\\', '/'))
        .slice(1)
        .toLowerCase(),
    })
  })
  return relations
}
