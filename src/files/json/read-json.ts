// Reads JSON that is not one record per line: a list of objects, an object that wraps such a list, or objects one after
// the other.

import type { RecordCollector, TextReader } from '../record-collector.ts'
import { JsonElements } from './json-elements.ts'
import { JsonRecords } from './json-record.ts'

export function jsonReader(name: string, collector: RecordCollector): TextReader {
  const records = new JsonRecords(collector)
  return new JsonElements(
    name,
    (line, text) => records.addText(text, line, text.length),
    (line, reason) => collector.addBad(line, reason, ''),
  )
}
