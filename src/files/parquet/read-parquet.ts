// Reads Parquet row group by row group, a thousand rows at a time. Errors that the library throws for damaged files
// become Failures.
import type { FileHandle } from 'node:fs/promises'
import { type FileMetaData, parquetMetadataAsync, parquetSchema } from 'hyparquet'
import { Failure } from '../../errors.ts'
import { JsonRecords } from '../json/json-record.ts'
import { batchRecordsMax, columnsMax, recordBytesMax } from '../limits.ts'
import type { RecordCollector } from '../record-collector.ts'
import type { RecordBatch } from '../records.ts'
import { damaged } from '../zip/zip-directory.ts'
import { GroupColumns } from './parquet-columns.ts'
import { openParquetFile, TooLarge, Unfit } from './parquet-file.ts'
import { BadValue, converterOf, isStruct } from './parquet-values.ts'

/** The row group size that the error message recommends if a file exceeds a memory limit. */
const groupRowsAdvised = 100_000
const numberBytes = 8
/** What the library says of whole files that it cannot read. A damaged file has no such names. */
const unsupported: readonly { pattern: RegExp; fault: (detail: string) => string }[] = [
  {
    pattern: /unsupported compression codec: ([A-Z]\w*)$/,
    fault: (codec) => `it is compressed by ${codec}: write it with zstd or snappy`,
  },
  {
    pattern: /unsupported encoding: ([A-Z]\w*)$/,
    fault: (encoding) => `a column has the encoding ${encoding}: write it with the default encodings`,
  },
  {
    pattern: /(bson|interval) not supported$/,
    fault: (type) => `a column has the type ${type}: write it as text`,
  },
]

/** `onProgress` receives the share of rows read so far, from 0 to 1. */
export async function* readParquet(
  name: string,
  source: { handle: FileHandle; bytes: number },
  collector: RecordCollector,
  onProgress: (share: number) => void,
): AsyncGenerator<RecordBatch> {
  const { file, metadata, columns } = await guarded(name, () => openParquet(source.handle, source.bytes))
  const addRow = rowAdder(columns, collector)
  const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
  let row = 0
  for (const group of metadata.row_groups) {
    const end = row + Number(group.num_rows)
    const open = await guarded(name, () => {
      const inGroup = new GroupColumns(file, metadata, group)
      return columns.map(({ tree }) => inGroup.open(tree))
    })
    while (row < end) {
      const count = Math.min(batchRecordsMax, end - row)
      await guarded(name, async () => {
        const values: unknown[][] = []
        for (const column of open) values.push(await column.take(count))
        for (let at = 0; at < count; at++) addRow(values, at, ++row)
      })
      onProgress(row / rows)
      yield* collector.takeFull()
    }
  }
}

/** Turns every error into a Failure, except system errors: whatever else goes wrong is a fault of the file. */
async function guarded<Result>(name: string, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof Failure || (error as NodeJS.ErrnoException).syscall !== undefined) throw error
    const fault = findFault(error as Error)
    throw fault === undefined
      ? damaged({ name })
      : new Failure(`${name} cannot be read as Parquet: ${fault}.`)
  }
}

/** Why a file that may be valid cannot be read. The messages of the library are not for operators. */
function findFault(error: Error): string | undefined {
  const { message } = error
  if (error instanceof TooLarge) return `${message}: write it in groups of at most ${groupRowsAdvised} rows`
  if (error instanceof Unfit) return message
  for (const { pattern, fault } of unsupported) {
    const [, detail] = pattern.exec(message) ?? []
    if (detail !== undefined) return fault(detail)
  }
  return undefined
}

async function openParquet(handle: FileHandle, bytes: number) {
  const file = await openParquetFile(handle, bytes)
  const metadata = await parquetMetadataAsync(file, { geoparquet: false })
  if (metadata.schema.length > columnsMax)
    throw new Unfit(`it has more than ${columnsMax} columns: leave out some`)
  for (const { num_rows } of metadata.row_groups) {
    if (!(num_rows >= 0 && num_rows <= Number.MAX_SAFE_INTEGER)) throw new Error('a number of rows is wrong')
  }
  // The library knows some types only by their older converted_type, which newer programs may omit.
  for (const element of metadata.schema) {
    const { logical_type: kind, converted_type: older } = element
    if (older !== undefined) continue
    if (kind?.type === 'DECIMAL') Object.assign(element, { converted_type: kind.type, scale: kind.scale })
    if (kind?.type === 'DATE' || kind?.type === 'JSON') element.converted_type = kind.type
  }
  return { file, metadata, columns: columnsOf(metadata) }
}

type Column = ReturnType<typeof columnsOf>[number]

function columnsOf(metadata: FileMetaData) {
  const columns = parquetSchema(metadata).children.map((tree) => ({
    name: tree.element.name,
    tree,
    convert: converterOf(tree),
  }))
  if (columns.some(({ name }) => typeof name !== 'string')) throw new Error('a column has no name')
  if (new Set(columns.map(({ name }) => name)).size < columns.length)
    throw new Unfit('two columns have the same name: rename one')
  return columns
}

/** The result takes a row's index in the values, `at`, and its number in the file, `line`. */
function rowAdder(columns: readonly Column[], collector: RecordCollector) {
  const adder = columns.some(({ tree }) => isStruct(tree)) ? objectAdder : cellAdder
  const addCells = adder(columns, collector)
  return (values: readonly unknown[][], at: number, line: number) => {
    const cells: unknown[] = []
    let bytes = 0
    for (const [index, { name, convert }] of columns.entries()) {
      const cell = convert(values[index]?.[at])
      if (cell instanceof BadValue) {
        collector.addBad(line, `${name} ${cell.reason}`, '')
        return
      }
      cells.push(cell)
      bytes += sizeOf(cell)
    }
    if (bytes <= recordBytesMax) addCells(cells, line, bytes)
    else collector.addBad(line, `it has more than ${recordBytesMax / 1024 / 1024} MiB`, '')
  }
}

type AddCells = (cells: unknown[], line: number, bytes: number) => void

function cellAdder(columns: readonly Column[], collector: RecordCollector): AddCells {
  const numbers = columns.map(({ name }) => collector.columnOf(name, 1))
  return (cells, line, bytes) => collector.add({ line, columns: numbers, cells }, bytes)
}

/** Structs become columns in the same way as JSON objects. */
function objectAdder(columns: readonly Column[], collector: RecordCollector): AddCells {
  const records = new JsonRecords(collector)
  return (cells, line, bytes) => {
    const object = Object.fromEntries(columns.map(({ name }, at) => [name, cells[at]]))
    records.add(object, '', line, bytes)
  }
}

function sizeOf(cell: unknown): number {
  if (typeof cell === 'string') return cell.length
  if (typeof cell !== 'object' || cell === null) return numberBytes
  return Object.values(cell).reduce<number>((bytes, inner) => bytes + sizeOf(inner), 0)
}
