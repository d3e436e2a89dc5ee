// Detects the format of a file from its extension and its first bytes; the bytes win if the two differ. A file that is
// no table is rejected with advice on what to do.
import { Failure } from '../errors.ts'
import type { Chunks } from './chunks.ts'
import { findTable } from './json/json-table.ts'
import { flattenedDepthMax } from './limits.ts'
import type { RecordsFile } from './records.ts'

type Format = RecordsFile['format']

/** Extension → format, after `.gz` or `.zst` is removed. */
const formatOfEnding: Readonly<Record<string, Format>> = {
  csv: 'csv',
  tsv: 'csv',
  tab: 'csv',
  psv: 'csv',
  json: 'json',
  ndjson: 'ndjson',
  jsonl: 'ndjson',
  parquet: 'parquet',
  pq: 'parquet',
  xlsx: 'xlsx',
  xlsm: 'xlsx',
}

const webPage = /^<(?:!doctype\s+html|html|head|body)\b/i
const otherMarkup = /^<(?:\?xml|table)\b/i

const unpack = 'unpack it, and give the table that is in it'

/** Magic bytes of files that are no tables, or not readable ones; `at` is the offset of the bytes. */
const foreign: readonly { bytes: string; at?: number; kind: string; advice: string }[] = [
  { bytes: 'SQLite format 3\0', kind: 'a SQLite database', advice: 'export the table as CSV' },
  { bytes: 'ARROW1', kind: 'an Arrow file', advice: 'write it as Parquet' },
  { bytes: 'ORC', kind: 'an ORC file', advice: 'write it as Parquet' },
  { bytes: 'Obj\x01', kind: 'an Avro file', advice: 'write it as Parquet' },
  { bytes: 'BZh', kind: 'compressed by bzip2', advice: unpack },
  { bytes: '\xfd7zXZ\0', kind: 'compressed by xz', advice: unpack },
  { bytes: '7z\xbc\xaf', kind: 'a 7-Zip archive', advice: unpack },
  { bytes: 'Rar!', kind: 'a RAR archive', advice: unpack },
  { bytes: 'ustar', at: 257, kind: 'a tar archive', advice: unpack },
  { bytes: '%PDF', kind: 'a PDF', advice: 'it is not a table' },
  { bytes: '\x89PNG', kind: 'an image', advice: 'it is not a table' },
  { bytes: '\xff\xd8\xff', kind: 'an image', advice: 'it is not a table' },
  { bytes: 'GIF8', kind: 'an image', advice: 'it is not a table' },
  { bytes: '\x7fELF', kind: 'a program', advice: 'it is not a table' },
]

export function isParquet(head: Buffer): boolean {
  return head.toString('latin1', 0, 4) === 'PAR1'
}

/** An archive without entries has only the record at its end. */
export function isZip(head: Buffer): boolean {
  return ['PK\x03\x04', 'PK\x05\x06'].includes(head.toString('latin1', 0, 4))
}

/** Old Office files, and new ones that are encrypted, are containers of the same kind. */
export async function refuseOldOffice(name: string, chunks: Chunks): Promise<void> {
  if (chunks.head.toString('latin1', 0, 4) !== '\xd0\xcf\x11\xe0') return
  const isEncrypted = await holds(chunks, Buffer.from('EncryptedPackage', 'utf16le'))
  throw new Failure(
    isEncrypted
      ? `${name} is protected with a password: save it without one.`
      : `${name} is an old Office file, such as .xls: save it as .xlsx or CSV.`,
  )
}

async function holds(chunks: AsyncIterable<Buffer>, wanted: Buffer): Promise<boolean> {
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of chunks) {
    const block = Buffer.concat([rest, chunk])
    if (block.includes(wanted)) return true
    rest = block.subarray(-wanted.length)
  }
  return false
}

export function refuseForeign(name: string, head: Buffer): void {
  const found = foreign.find(({ bytes, at = 0 }) => head.toString('latin1', at, at + bytes.length) === bytes)
  if (found !== undefined) throw new Failure(`${name} is ${found.kind}: ${found.advice}.`)
}

export function refuseEmpty(name: string, { head, isWhole }: Chunks): void {
  if (isWhole && head.toString().trim() === '')
    throw new Failure(`${name} is empty: there is nothing to read in it.`)
}

export function findTextFormat(path: string, { head, isWhole }: Chunks): Exclude<Format, 'parquet' | 'xlsx'> {
  const ending = /\.(\w+)$/.exec(path.toLowerCase().replace(/\.(gz|gzip|zst|zstd)$/, ''))?.[1] ?? ''
  const told = formatOfEnding[ending]
  const begin = head.toString('utf8').trimStart()
  const markup = withoutComments(begin)
  if (webPage.test(markup)) throw new Failure(`${path} is a web page (HTML), ${pageAdvice(begin)}.`)
  if (told === 'csv' ? otherMarkup.test(markup) : begin.startsWith('<'))
    throw new Failure(`${path} is a web page or XML: save the table as CSV.`)
  if (told === 'csv') return 'csv'
  if (told === 'parquet' || told === 'xlsx') {
    const title = told === 'parquet' ? 'Parquet' : 'XLSX'
    throw new Failure(`${path} is not ${title}, whatever its name says: correct its extension.`)
  }
  if (begin.startsWith('[')) return 'json'
  if (begin.startsWith('{') && told === 'ndjson') return 'ndjson'
  if (begin.startsWith('{')) return isLines(begin, isWhole) ? 'ndjson' : 'json'
  if (told === undefined) return 'csv'
  if (isWhole && !/^\s*[{[]/m.test(begin)) {
    throw new Failure(`${path} is not JSON, whatever its name says: if it is a CSV, say --format csv.`)
  }
  return 'ndjson'
}

/** Many portals call a page with a table an `.xls` file. */
function pageAdvice(page: string): string {
  return /<table\b/i.test(page)
    ? 'which has a table: open it in a spreadsheet program, and save it as XLSX or CSV'
    : 'no table: download the file itself'
}

/** A loop, because an expression for any number of comments backtracks for hours. */
function withoutComments(begin: string): string {
  let rest = begin
  while (rest.startsWith('<!--')) {
    const end = rest.indexOf('-->', 4)
    if (end === -1) break
    rest = rest.slice(end + 3).trimStart()
  }
  return rest
}

/** Whether the first line is a complete JSON object, and not the only one, wrapping a list of records or being a table. */
function isLines(begin: string, isWhole: boolean): boolean {
  const stop = begin.indexOf('\n')
  if (stop === -1 && !isWhole) return false
  const line = stop === -1 ? begin : begin.slice(0, stop)
  const isAlone = isWhole && begin.slice(line.length).trim() === ''
  try {
    const value: unknown = JSON.parse(line)
    return !(isAlone && (holdsList(value) || findTable(value) !== undefined))
  } catch {
    return false
  }
}

function holdsList(value: unknown, depth = 0): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || depth > flattenedDepthMax)
    return false
  return Object.values(value).some(
    (inner) => (Array.isArray(inner) && typeof inner[0] === 'object') || holdsList(inner, depth + 1),
  )
}
