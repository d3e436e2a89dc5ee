import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { workbookFile } from '../../../test/files/write-xlsx.ts'
import { Failure } from '../../errors.ts'
import { recordBytesMax } from '../limits.ts'
import { openRecords } from '../open-records.ts'
import type { RecordBatch } from '../records.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'merged-cells-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The batches, or the message with which the file is rejected. */
async function read(content: Uint8Array) {
  const file = path.join(folder, 'x.xlsx')
  writeFileSync(file, content)
  try {
    const batches: RecordBatch[] = []
    for await (const batch of (await openRecords(file, {})).batches()) batches.push(batch)
    return batches
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return error.message.replaceAll(file, 'FILE')
  }
}

/** The letters of a column, from 0. */
function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26))
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last
}

/** The first columns of row 2 are merged down to `bottom`. */
const mergedDown = (columns: number, bottom: number) =>
  Array.from({ length: columns }, (_, at) => `${letters(at)}2:${letters(at)}${bottom}`)
const header = (columns: number) => Array.from({ length: columns }, (_, at) => `c${at}`)

describe('cells that are merged down count like written ones', () => {
  test('for the size of a row', async () => {
    const [long, width] = ['x'.repeat(30_000), 50]
    const [own, filled] = [Array(30).fill(long), Array(20).fill('')]
    const rows = [header(width), own, [...filled, ...own], ['', 1]]
    const found = await read(workbookFile([{ rows, merged: mergedDown(20, 3) }]))
    if (typeof found === 'string') throw new Error(found)
    expect(found.flatMap(({ records }) => records.map(({ line }) => line))).toEqual([2, 4])
    expect(found.flatMap(({ bad }) => bad)).toMatchObject([
      { line: 3, reason: `it has more than ${recordBytesMax / 1024 / 1024} MiB` },
    ])
  })

  test('for the size of a batch', async () => {
    const [long, width] = ['x'.repeat(30_000), 30]
    const rows = [header(width), Array(width).fill(long), ...Array.from({ length: 20 }, () => ['', 1])]
    const found = await read(workbookFile([{ rows, merged: mergedDown(width, 22) }]))
    if (typeof found === 'string') throw new Error(found)
    expect(Math.max(...found.map(({ records }) => records.length))).toBeLessThan(10)
  })

  test('for the size of a sheet, which may be a bomb', async () => {
    const width = 400
    const rows = [header(width), header(width), ...Array.from({ length: 5_000 }, () => ['', 1])]
    const content = workbookFile([{ rows, merged: mergedDown(width, 5_002) }])
    expect(content.length).toBeLessThan(100_000)
    expect(await read(content)).toBe(
      'FILE grows to more than 500 times its size: it may be a decompression bomb.',
    )
  })
})
