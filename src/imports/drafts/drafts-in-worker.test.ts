// Tests which files are read in a worker thread, whose memory is limited.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Worker } from 'node:worker_threads'
import { gzipSync, zstdCompressSync } from 'node:zlib'
import { parquetWriteBuffer } from 'hyparquet-writer'
import { afterAll, expect, test } from 'vitest'
import { workbookFile } from '../../../test/files/write-xlsx.ts'
import type { Draft } from './draft.ts'
import { draftsHeapMb, openDraftsInWorker } from './drafts-in-worker.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'drafts-in-worker-'))
afterAll(() => rmSync(folder, { recursive: true }))

const options = { read: {}, map: undefined, currency: undefined, brand: undefined, rates: new Map() }
const rows = [
  ['Brand', 'Reference', 'Material'],
  ['Rolex', 'A1', 'Steel'],
]
const columnData = ['Brand', 'Reference', 'Material'].map((name, at) => ({
  name,
  data: [rows[1]?.[at]],
  type: 'STRING' as const,
}))
const csv = rows.join('\n')

test.each([
  ['list.csv', csv, 0],
  ['list.csv.gz', gzipSync(csv), 1],
  ['list.csv.zst', zstdCompressSync(csv), 1],
  ['list.parquet', new Uint8Array(parquetWriteBuffer({ columnData })), 1],
  ['list.xlsx', workbookFile([{ rows }]), 1],
] as const)('a small file is read in a worker only if it is compressed: %s', async (name, content, count) => {
  const file = path.join(folder, name)
  writeFileSync(file, content)
  let workers = 0
  // Other files of the process have workers too, without such a limit.
  const countWorker = ({ resourceLimits }: Worker) => {
    if (resourceLimits?.maxOldGenerationSizeMb === draftsHeapMb) workers++
  }
  process.on('worker', countWorker)
  const opened = await openDraftsInWorker(file, options)
  try {
    const drafts: Draft[] = []
    for await (const batch of opened.batches()) drafts.push(...batch.drafts)
    expect(drafts.map(({ reference_number }) => reference_number)).toEqual(['A1'])
    expect(workers).toBe(count)
  } finally {
    process.off('worker', countWorker)
    await opened.close()
  }
})
