// Reads JSON that is not one record per line: a list of objects, an object that wraps such a list, or objects one after
// the other.

import type { RecordCollector, TextReader } from '../record-collector.ts'
import { JsonElements } from './json-elements.ts'
import { JsonRecords } from './json-record.ts'
import { parseJson } from './read-ndjson.ts'

export class JsonReader implements TextReader {
  readonly #elements: JsonElements

  constructor(name: string, collector: RecordCollector) {
    const records = new JsonRecords(collector)
    this.#elements = new JsonElements(
      name,
      ({ line, text }) => {
        const value = parseJson(text)
        if (value === undefined) collector.addBad(line, 'it is not valid JSON', text)
        else records.add(value, text, line, text.length)
      },
      (line, reason) => collector.addBad(line, reason, ''),
    )
  }

  read(chunk: Buffer, end: boolean): void {
    this.#elements.read(chunk, end)
  }
}
