// Reads NDJSON: one JSON record on each line.

import { isAscii } from 'node:buffer'
import { Failure } from '../../errors.ts'
import { newline } from '../ascii.ts'
import { recordBytesMax } from '../limits.ts'
import type { RecordCollector, TextReader } from '../record-collector.ts'
import { JsonRecords } from './json-record.ts'

export class NdjsonReader implements TextReader {
  readonly #name: string
  readonly #records: JsonRecords
  #rest: Buffer = Buffer.alloc(0)
  #line = 1

  constructor(name: string, collector: RecordCollector) {
    this.#name = name
    this.#records = new JsonRecords(collector)
  }

  read(chunk: Buffer, end: boolean): void {
    const block = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const encoding = isAscii(block) ? 'latin1' : 'utf8'
    let start = 0
    for (let stop = block.indexOf(newline); stop !== -1; stop = block.indexOf(newline, start)) {
      this.#readLine(block, start, stop, encoding)
      start = stop + 1
    }
    if (end && start < block.length) this.#readLine(block, start, block.length, encoding)
    this.#rest = end ? Buffer.alloc(0) : block.subarray(start)
    if (this.#rest.length > recordBytesMax) this.#refuseLong()
  }

  #readLine(block: Buffer, start: number, stop: number, encoding: 'latin1' | 'utf8'): void {
    if (stop - start > recordBytesMax) this.#refuseLong()
    const text = block.toString(encoding, start, stop)
    const line = this.#line++
    if (/\S/.test(text)) this.#records.addText(text, line, stop - start)
  }

  #refuseLong(): never {
    const limit = `${recordBytesMax / 1024 / 1024} MiB`
    throw new Failure(
      `${this.#name}:${this.#line}: the line has more than ${limit}: check that each record has its own line.`,
    )
  }
}
