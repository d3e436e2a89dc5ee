import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compileWasm, wasmFiles } from '../../scripts/compile-wasm.ts'

test.each(wasmFiles)('%s.wasm is what its source compiles to', async (name) => {
  const committed = await readFile(path.join(import.meta.dirname, '../../src', `${name}.wasm`))
  // To fix: node scripts/compile-wasm.ts
  expect(committed.equals(await compileWasm(name))).toBe(true)
})
