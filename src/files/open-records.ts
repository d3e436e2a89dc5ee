// Opens a file of records: detects its compression, encoding and format, and reads its records in batches, in bounded
// memory.
import { Failure } from '../errors.ts'
import { type Chunks, openChunks } from './chunks.ts'
import { CsvReader } from './csv/read-csv.ts'
import { decompress, findCompression } from './decompress.ts'
import { findTextFormat, isParquet, refuseEmpty, refuseForeign } from './find-format.ts'
import { jsonReader } from './json/read-json.ts'
import { NdjsonReader } from './json/read-ndjson.ts'
import { openSource, type Source } from './open-source.ts'
import { RecordCollector, type TextReader } from './record-collector.ts'
import type { ReadOptions, RecordBatch, RecordsFile } from './records.ts'
import { textChunks } from './text-chunks.ts'

type Batches = AsyncGenerator<RecordBatch>

/** `-` is standard input. */
export async function openRecords(path: string, options: ReadOptions): Promise<RecordsFile> {
  const opened = new Opened(await openSource(path))
  try {
    return await opened.begin(path, options)
  } catch (error) {
    await opened.close()
    throw opened.explain(error)
  }
}

/** An opened source and the layers on top of it (decompression, decoding), which are closed together. */
class Opened {
  readonly #source: Source
  readonly #resources = new AsyncDisposableStack()
  #sha256: string | undefined

  constructor(source: Source) {
    this.#source = source
    this.#resources.defer(() => source.close())
  }

  async begin(path: string, options: ReadOptions): Promise<RecordsFile> {
    const { name, bytesRead } = this.#source
    const raw = await this.#lay(this.#source.chunks())
    const compression = findCompression(raw.head)
    const plain =
      compression === undefined ? raw : await this.#lay(decompress(raw, compression, name, bytesRead))
    refuseForeign(name, plain.head)
    if (isParquet(plain.head)) return this.#beginParquet(compression !== undefined)
    if (options.format === 'parquet') throw new Failure(`${name} is not Parquet: leave out the format.`)
    const text = await this.#lay(textChunks(plain, name, options.encoding))
    refuseEmpty(name, text)
    const format = options.format ?? findTextFormat(path, text)
    const collector = new RecordCollector(name, bytesRead)
    const reader = textReader(name, format, options, collector)
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

  /** Parquet is read from its end: a pipe has none, and in a compressed file its position is unknown. */
  async #beginParquet(isCompressed: boolean): Promise<RecordsFile> {
    const { name, file, bytes } = this.#source
    if (file === undefined || bytes === undefined || isCompressed) {
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

  #recordsFile(format: RecordsFile['format'], collector: RecordCollector, batches: Batches): RecordsFile {
    const { name, bytes } = this.#source
    return {
      ...{ name, format, bytes },
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
): TextReader {
  if (format === 'csv') return new CsvReader(name, options, collector)
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
