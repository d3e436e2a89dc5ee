// Opens a file of records: detects its compression, encoding and format, and reads its records in batches, in bounded
// memory.
import { Failure } from '../errors.ts'
import { type Chunks, openChunks } from './chunks.ts'
import { CsvReader } from './csv/read-csv.ts'
import { decompress, findCompression } from './decompress.ts'
import {
  findTextFormat,
  isParquet,
  isZip,
  refuseEmpty,
  refuseForeign,
  refuseOldOffice,
} from './find-format.ts'
import { jsonReader } from './json/read-json.ts'
import { NdjsonReader } from './json/read-ndjson.ts'
import { openSource, type Source } from './open-source.ts'
import { RecordCollector, type TextReader } from './record-collector.ts'
import type { ReadOptions, ReadSheet, RecordBatch, RecordsFile } from './records.ts'
import { spool } from './spool.ts'
import { textChunks } from './text-chunks.ts'
import { findZipContent, type ZipParts } from './zip/zip-content.ts'
import type { ZipSource } from './zip/zip-directory.ts'
import { readEntry } from './zip/zip-entry.ts'

type Batches = AsyncGenerator<RecordBatch>

/**
 * `-` is standard input. `knowsColumn` says whether the caller has a use for a column of this name: columns
 * below the names of groups can have several names.
 */
export async function openRecords(
  path: string,
  options: ReadOptions,
  knowsColumn: (name: string) => boolean = () => false,
): Promise<RecordsFile> {
  const opened = new Opened(await openSource(path, options.names?.[path]), options, knowsColumn)
  try {
    return await opened.begin(path)
  } catch (error) {
    await opened.close()
    throw opened.explain(error)
  }
}

/** An opened source and the layers on top of it (decompression, decoding), which are closed together. */
class Opened {
  readonly #source: Source
  readonly #options: ReadOptions
  readonly #knowsColumn: (name: string) => boolean
  readonly #resources = new AsyncDisposableStack()
  #sha256: string | undefined
  #encoding: string | undefined

  constructor(source: Source, options: ReadOptions, knowsColumn: (name: string) => boolean) {
    this.#source = source
    this.#options = options
    this.#knowsColumn = knowsColumn
    this.#resources.defer(() => source.close())
  }

  async begin(path: string): Promise<RecordsFile> {
    const { name, bytesRead, file } = this.#source
    const raw = await this.#lay(this.#source.chunks())
    const compression = findCompression(raw.head)
    const plain =
      compression === undefined ? raw : await this.#lay(decompress(raw, compression, name, bytesRead))
    await refuseOldOffice(name, plain)
    const isFile = file !== undefined && compression === undefined
    if (isZip(plain.head)) return this.#beginZip(plain, isFile, false)
    return this.#beginPlain(path, plain, isFile, bytesRead)
  }

  async #beginPlain(
    path: string,
    plain: Chunks,
    isFile: boolean,
    bytesRead: () => number,
  ): Promise<RecordsFile> {
    const { name } = this.#source
    const options = this.#options
    refuseForeign(name, plain.head)
    if (options.sheet !== undefined) throw new Failure(`${name} has no sheets: leave out --sheet.`)
    if (isParquet(plain.head)) return this.#beginParquet(isFile)
    if (options.format === 'parquet') throw new Failure(`${name} is not Parquet: leave out the format.`)
    if (options.format === 'xlsx') throw new Failure(`${name} is not XLSX: leave out the format.`)
    const text = await this.#lay(
      textChunks(plain, name, options.encoding, (label) => {
        this.#encoding = label
      }),
    )
    refuseEmpty(name, text)
    const format = options.format ?? findTextFormat(path, text)
    const collector = new RecordCollector(name, bytesRead)
    const reader = textReader(name, format, options, collector, this.#knowsColumn)
    return this.#recordsFile(format, collector, readText(text, reader, collector))
  }

  close(): Promise<void> {
    return this.#resources.disposeAsync()
  }

  explain(error: unknown): unknown {
    const { syscall, code } = error as NodeJS.ErrnoException
    return syscall === undefined
      ? error
      : new Failure(`Cannot read ${this.#source.name} (${code}): check the file and its disk.`)
  }

  async #lay(chunks: AsyncGenerator<Buffer>): Promise<Chunks> {
    const layer = await openChunks(chunks)
    this.#resources.defer(layer.close)
    return layer
  }

  /** A ZIP file is read from its end, so one that comes through a pipe is written to a file first. */
  async #beginZip(plain: Chunks, isFile: boolean, isNested: boolean): Promise<RecordsFile> {
    const { name, file, bytes } = this.#source
    let zip: ZipSource
    if (isFile && file !== undefined && bytes !== undefined) zip = { name, handle: file, bytes }
    else {
      const spooled = await spool(name, plain)
      this.#resources.defer(() => spooled.handle.close())
      zip = { name, ...spooled }
    }
    const content = await findZipContent(zip)
    if (content.kind === 'workbook') return this.#beginWorkbook(zip, content.parts)
    if (isNested) throw new Failure(`${name} is a ZIP archive in a ZIP archive: unpack it.`)
    let packedRead = 0
    const count = (packed: number) => {
      packedRead += packed
    }
    const inner = await this.#lay(readEntry(zip, content.entry, count))
    if (isZip(inner.head)) return this.#beginZip(inner, false, true)
    return this.#beginPlain(content.entry.path, inner, false, () => packedRead)
  }

  async #beginWorkbook(zip: ZipSource, parts: ZipParts): Promise<RecordsFile> {
    const { openSheet } = await import('./xlsx/read-xlsx.ts')
    let share = 0
    const collector = new RecordCollector(zip.name, () => Math.floor(zip.bytes * share))
    const { sheet, batches } = await openSheet(zip, parts, {
      sheet: this.#options.sheet,
      knowsColumn: this.#knowsColumn,
      collector,
      onProgress: (read) => {
        share = read
      },
    })
    return this.#recordsFile('xlsx', collector, batches, sheet)
  }

  /** Parquet is read from its end: a pipe has none, and in a compressed file its position is unknown. */
  async #beginParquet(isFile: boolean): Promise<RecordsFile> {
    const { name, file, bytes } = this.#source
    if (file === undefined || bytes === undefined || !isFile) {
      throw new Failure(
        `${name} is Parquet, which is compressed internally and cannot be piped: give the file itself.`,
      )
    }
    const { readParquet } = await import('./parquet/read-parquet.ts')
    let bytesRead = 0
    const collector = new RecordCollector(name, () => bytesRead)
    const batches = readParquet(name, { handle: file, bytes }, collector, (share) => {
      bytesRead = Math.floor(bytes * share)
    })
    return this.#recordsFile('parquet', collector, batches)
  }

  #recordsFile(
    format: RecordsFile['format'],
    collector: RecordCollector,
    batches: Batches,
    sheet?: ReadSheet,
  ): RecordsFile {
    const { name, bytes } = this.#source
    return {
      ...{ name, format, sheet, bytes, encoding: this.#encoding },
      batches: () => this.#guard(batches, collector),
      sha256: () => this.#sha256,
      close: () => this.close(),
    }
  }

  async *#guard(batches: Batches, collector: RecordCollector): Batches {
    try {
      yield* batches
      this.#sha256 = await this.#source.digest()
      await this.#source.checkUnchanged()
      yield* collector.takeRest()
    } catch (error) {
      // A file that is being rewritten can fail in any way. If it was changed, report that instead of the error.
      await this.#source.checkUnchanged()
      throw this.explain(error)
    } finally {
      await this.close()
    }
  }
}

function textReader(
  name: string,
  format: 'csv' | 'json' | 'ndjson',
  options: ReadOptions,
  collector: RecordCollector,
  knowsColumn: (name: string) => boolean,
): TextReader {
  if (format === 'csv') return new CsvReader(name, options, collector, knowsColumn)
  return format === 'json' ? jsonReader(name, collector) : new NdjsonReader(name, collector)
}

async function* readText(text: Chunks, reader: TextReader, collector: RecordCollector): Batches {
  for await (const chunk of text) {
    reader.read(chunk, false)
    yield* collector.takeFull()
  }
  reader.read(Buffer.alloc(0), true)
  yield* collector.takeFull()
}
