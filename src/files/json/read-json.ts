// Reads JSON that is not one record per line: a list of objects, an object that wraps such a list or is a table, or objects
// one after the other.

import { recordBytesMax } from '../limits.ts'
import type { RecordCollector, TextReader } from '../record-collector.ts'
import { JsonElements } from './json-elements.ts'
import { JsonRecords } from './json-record.ts'
import { findTable } from './json-table.ts'
import { parseJson } from './parse-json.ts'

export function jsonReader(name: string, collector: RecordCollector): TextReader {
  const records = new JsonRecords(collector)
  let rows = 0
  /** Returns false for an object that is no table, and too long for a record. */
  const addObject = (line: number, text: string): boolean => {
    const table = findTable(parseJson(text))
    if (table === undefined) {
      if (text.length > recordBytesMax) return false
      records.addText(text, line, text.length)
      return true
    }
    for (const row of table) {
      const own = JSON.stringify(row)
      records.add(row, own, ++rows, own.length)
    }
    return true
  }
  return new JsonElements(name, {
    onElement: (line, text) => records.addText(text, line, text.length),
    onObject: addObject,
    onCurrency: (text) => collector.addAbove([text]),
    onLateCurrency: (text) => collector.addLateCurrency(text),
    onBeside: (line, reason) => records.tellBeside(line, reason),
    onUnread: (line, reason) => collector.addBad(line, reason, ''),
  })
}
