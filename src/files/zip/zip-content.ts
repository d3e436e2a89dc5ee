// Opens a ZIP file and says what it is: a workbook of Excel, or an archive with a single table in it. Other documents
// that are ZIP files are rejected with advice.
import { Failure } from '../../errors.ts'
import { readDirectory, type ZipEntry, type ZipSource } from './zip-directory.ts'

/** The parts of a workbook by their paths, in lower case. */
export type ZipParts = ReadonlyMap<string, ZipEntry>

export type ZipContent =
  | { readonly kind: 'workbook'; readonly parts: ZipParts }
  | { readonly kind: 'file'; readonly entry: ZipEntry }

const saveAs = 'save it as .xlsx or CSV'

/** A path in the archive → the document that has it. */
const documents: readonly { path: RegExp; kind: string; advice: string }[] = [
  { path: /^xl\/workbook\.bin$/, kind: 'a binary Excel workbook (.xlsb)', advice: saveAs },
  {
    path: /^index\/(document|tables\/.*)\.iwa$|^index\.zip$/,
    kind: 'an Apple Numbers document',
    advice: saveAs,
  },
  { path: /^word\/document\.xml$/, kind: 'a Word document', advice: 'it is not a table' },
  { path: /^ppt\/presentation\.xml$/, kind: 'a PowerPoint document', advice: 'it is not a table' },
  // Last, because other documents may have this file, too.
  { path: /^content\.xml$/, kind: 'an OpenDocument file', advice: saveAs },
]
/** Folders and the files that macOS and Windows add. */
const beside = /\/$|^__macosx\/|(?:^|\/)(?:\.[^/]*|thumbs\.db|desktop\.ini)$/

export async function findZipContent(source: ZipSource): Promise<ZipContent> {
  const entries = await readDirectory(source)
  // The names of parts of a workbook are compared without case.
  const parts = new Map(entries.map((entry) => [entry.path.toLowerCase(), entry]))
  const paths = [...parts.keys()]
  const document = documents.find(({ path }) => paths.some((one) => path.test(one)))
  if (document !== undefined) throw new Failure(`${source.name} is ${document.kind}: ${document.advice}.`)
  if (parts.has('[content_types].xml')) return { kind: 'workbook', parts }
  const files = paths.filter((path) => !beside.test(path))
  const [only] = files
  if (only === undefined) throw new Failure(`${source.name} is empty: there is nothing to read in it.`)
  const entry = parts.get(only)
  if (entry !== undefined && files.length === 1) return { kind: 'file', entry }
  throw new Failure(
    `${source.name} is a ZIP archive of ${files.length} files: unpack it, and give the tables that are in it.`,
  )
}
