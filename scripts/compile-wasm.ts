// Compiles the .wasm files of src/ from the .wat sources beside them. The .wasm files are committed, so that the
// service runs without a compiler; a test compares them with their sources.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import wabt from 'wabt'

export const wasmFiles = [
  'search/sets/combine-sets',
  'search/index/join-rows',
  'http/responses/quick-deflate',
] as const

const directory = path.resolve(import.meta.dirname, '../src')

export async function compileWasm(name: string): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const source = await readFile(path.join(directory, `${name}.wat`), 'utf8')
  const module = parseWat(`${name}.wat`, source, { simd: true, threads: true, bulk_memory: true })
  return module.toBinary({}).buffer
}

if (import.meta.main) {
  for (const name of wasmFiles) await writeFile(path.join(directory, `${name}.wasm`), await compileWasm(name))
}
