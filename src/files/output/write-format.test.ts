import { expect, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { isText, parseOutputFormat } from './write-format.ts'

test.each([
  ['a.ndjson', undefined, 'ndjson', undefined],
  ['a.JSONL', undefined, 'ndjson', undefined],
  ['dir.csv/a.b.csv', undefined, 'csv', undefined],
  ['a.csv.gz', undefined, 'csv', 'gzip'],
  ['a.ndjson.zst', undefined, 'ndjson', 'zstd'],
  ['a.parquet', undefined, 'parquet', undefined],
  ['-', undefined, 'ndjson', undefined],
  ['-', 'csv.gz', 'csv', 'gzip'],
  ['a.txt', 'csv', 'csv', undefined],
  ['a.txt.gz', 'csv', 'csv', 'gzip'],
  ['a.gz', 'ndjson', 'ndjson', 'gzip'],
  ['a.csv', 'parquet', 'parquet', undefined],
  ['a.csv.gz', 'csv.zst', 'csv', 'zstd'],
])('%s, asked for as %s, is %s, compressed by %s', (file, asked, format, compression) => {
  expect(parseOutputFormat(file, asked)).toEqual({ format, compression })
})

test.each([
  ['a', undefined, /a does not tell its format: end the name in \.ndjson/],
  ['csv', undefined, /does not tell its format/],
  ['a.gz', undefined, /does not tell its format/],
  ['dir.csv/a', undefined, /does not tell its format/],
  ['a.json', undefined, /does not tell its format/],
  ['a.constructor', undefined, /does not tell its format/],
  ['a.csv', 'xlsx', /There is no format xlsx/],
  ['-', 'gz', /There is no format gz/],
  ['a.parquet.gz', undefined, /Parquet is compressed internally/],
  ['-', 'parquet.zst', /Parquet is compressed internally/],
])('%s, asked for as %s, is rejected with a message', (file, asked, message) => {
  expect(() => parseOutputFormat(file, asked)).toThrow(message)
  expect(() => parseOutputFormat(file, asked)).toThrow(Failure)
})

test('only text that is not compressed is for terminals', () => {
  expect(isText({ format: 'csv', compression: undefined })).toBe(true)
  expect(isText({ format: 'csv', compression: 'gzip' })).toBe(false)
  expect(isText({ format: 'parquet', compression: undefined })).toBe(false)
})
