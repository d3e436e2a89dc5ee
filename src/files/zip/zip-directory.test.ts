// Tests that a ZIP file whose entries share their bytes is refused before anything of it is unpacked.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { zipFile } from '../../../test/files/write-zip.ts'
import { readDirectory } from './zip-directory.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zip-directory-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function paths(bytes: Uint8Array): Promise<string[]> {
  const file = path.join(folder, 'x.zip')
  writeFileSync(file, bytes)
  await using handle = await open(file)
  const entries = await readDirectory({ name: 'FILE', handle, bytes: bytes.length })
  return entries.map((entry) => entry.path)
}

const parts = ['a', 'b/', 'c'].map((path) => ({ path, content: path.endsWith('/') ? '' : path.repeat(99) }))
const offsetField = 42

/** Moves the entry to `offset`, as its record in the directory says. */
function moved(zip: Buffer, entryPath: string, offset: number): Buffer {
  const changed = Buffer.from(zip)
  const record = changed.lastIndexOf(entryPath) - 46
  changed.writeUInt32LE(offset, record + offsetField)
  return changed
}

test.each([false, true])('entries one after the other are read (64-bit: %s)', async (is64) => {
  expect(await paths(zipFile(parts, is64))).toEqual(['a', 'b/', 'c'])
})

test.each([0, 1, 33])('entries that share bytes are refused: at %d', async (offset) => {
  await expect(paths(moved(zipFile(parts), 'c', offset))).rejects.toThrow(
    'FILE has files in it that overlap: it is damaged, or a decompression bomb.',
  )
})
