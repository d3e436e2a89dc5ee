// Writes workbooks for tests and benchmarks: sheets of plain values, or of cells with a number format or with any XML.
import { type ZipPart, zipFile } from './write-zip.ts'

/** A number with its format, or the XML inside and the attributes of the cell's tag. */
export type WrittenCell =
  | string
  | number
  | boolean
  | null
  | { readonly value: number; readonly format: string | number }
  | { readonly xml: string; readonly attributes?: string }

export interface WrittenSheet {
  readonly name?: string
  readonly state?: 'hidden' | 'veryHidden'
  /** The first row is row 1. An empty row is left out. */
  readonly rows?: Iterable<readonly WrittenCell[]>
  /** Ranges such as `A1:B2`. */
  readonly merged?: readonly string[]
  /** The XML of the whole part. */
  readonly xml?: string | Uint8Array
}

export interface WrittenWorkbook {
  readonly is1904?: boolean
  /** Texts stand in the cells, and not in the table of the workbook. */
  readonly isInline?: boolean
  readonly parts?: readonly ZipPart[]
}

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const customFormats = 164
const chunkRows = 1_000

export function workbookParts(sheets: readonly WrittenSheet[], options: WrittenWorkbook = {}): ZipPart[] {
  const texts = new Map<string, number>()
  const formats = new Map<string | number, number>([[0, 0]])
  const pages = sheets.map((sheet, at) => ({
    path: `xl/worksheets/sheet${at + 1}.xml`,
    content: sheet.xml ?? sheetXml(sheet, texts, formats, options.isInline ?? false),
  }))
  const names = sheets.map(
    ({ name, state }, at) =>
      `<sheet name="${escaped(name ?? `Sheet${at + 1}`)}" sheetId="${at + 1}"${state ? ` state="${state}"` : ''} r:id="rId${at + 1}"/>`,
  )
  const relations = [
    ...sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', `worksheets/sheet${at + 1}.xml`)),
    relation('styles', 'styles', '/xl/styles.xml'),
    relation('texts', 'sharedStrings', 'sharedStrings.xml'),
  ]
  const own = [...formats.keys()].filter((format) => typeof format === 'string')
  const idOf = (format: string | number) =>
    typeof format === 'number' ? format : customFormats + own.indexOf(format)
  const parts = [
    { path: '[Content_Types].xml', content: '<Types/>' },
    { path: '_rels/.rels', content: relationsXml([relation('r', 'officeDocument', 'xl/workbook.xml')]) },
    {
      path: 'xl/workbook.xml',
      content: `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${options.is1904 ? ' date1904="1"' : ''}/><sheets>${names.join('')}</sheets></workbook>`,
    },
    { path: 'xl/_rels/workbook.xml.rels', content: relationsXml(relations) },
    {
      path: 'xl/styles.xml',
      content: `<styleSheet xmlns="${main}"><numFmts>${own
        .map((code) => `<numFmt numFmtId="${idOf(code)}" formatCode="${escaped(code)}"/>`)
        .join('')}</numFmts><cellStyleXfs><xf numFmtId="9"/></cellStyleXfs><cellXfs>${[...formats.keys()]
        .map((format) => `<xf numFmtId="${idOf(format)}"/>`)
        .join('')}</cellXfs></styleSheet>`,
    },
    {
      path: 'xl/sharedStrings.xml',
      content: `<sst xmlns="${main}">${[...texts.keys()].map((text) => `<si><t xml:space="preserve">${escaped(text)}</t></si>`).join('')}</sst>`,
    },
    ...pages,
  ]
  const replaced = new Set(options.parts?.map(({ path }) => path))
  return [...parts.filter(({ path }) => !replaced.has(path)), ...(options.parts ?? [])]
}

export function workbookFile(sheets: readonly WrittenSheet[], options?: WrittenWorkbook): Buffer {
  return zipFile(workbookParts(sheets, options))
}

function sheetXml(
  { rows = [], merged = [] }: WrittenSheet,
  texts: Map<string, number>,
  formats: Map<string | number, number>,
  isInline: boolean,
): Buffer {
  const chunks: Buffer[] = []
  let text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="${main}"><sheetData>`
  let number = 0
  for (const row of rows) {
    number++
    if (row.length === 0) continue
    text += `<row r="${number}">`
    for (const [at, cell] of row.entries()) {
      if (cell !== null) text += cellXml(`${letters(at)}${number}`, cell)
    }
    text += '</row>'
    if (number % chunkRows !== 0) continue
    chunks.push(Buffer.from(text))
    text = ''
  }
  const list = merged.map((range) => `<mergeCell ref="${range}"/>`).join('')
  text += `</sheetData>${list === '' ? '' : `<mergeCells count="${merged.length}">${list}</mergeCells>`}</worksheet>`
  return Buffer.concat([...chunks, Buffer.from(text)])

  function cellXml(reference: string, cell: NonNullable<WrittenCell>): string {
    if (typeof cell === 'number') return `<c r="${reference}"><v>${cell}</v></c>`
    if (typeof cell === 'boolean') return `<c r="${reference}" t="b"><v>${Number(cell)}</v></c>`
    if (typeof cell === 'string') {
      if (isInline) return `<c r="${reference}" t="inlineStr"><is><t>${escaped(cell)}</t></is></c>`
      return `<c r="${reference}" t="s"><v>${numberOf(texts, cell)}</v></c>`
    }
    if ('xml' in cell) return `<c r="${reference}" ${cell.attributes ?? ''}>${cell.xml}</c>`
    return `<c r="${reference}" s="${numberOf(formats, cell.format)}"><v>${cell.value}</v></c>`
  }
}

function numberOf<Key>(numbers: Map<Key, number>, key: Key): number {
  const number = numbers.get(key) ?? numbers.size
  numbers.set(key, number)
  return number
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

function relation(id: string, type: string, target: string): string {
  return `<Relationship Id="${id}" Type="${office}/${type}" Target="${target}"/>`
}

function relationsXml(relations: readonly string[]): string {
  return `<Relationships>${relations.join('')}</Relationships>`
}

/** Characters that XML cannot have are written as Excel writes them, and so is what would be read as one of those. */
function escaped(text: string): string {
  return text
    .replace(/_(?=x[\dA-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[\p{Cc}\ufffe\uffff]/gu, (character) => `_x${hex(character)}_`)
    .replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

function hex(character: string): string {
  return character.charCodeAt(0).toString(16).padStart(4, '0')
}
