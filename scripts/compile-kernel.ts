// In charge of src/search/kernel.wasm: compiles it from kernel.wat. The binary is committed, so that running needs
// no compiler; a test compares the two.
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import wabt from 'wabt'

const kernel = path.resolve(import.meta.dirname, '../src/search/kernel')

export async function compileKernel(): Promise<Uint8Array> {
  const { parseWat } = await wabt()
  const module = parseWat('kernel.wat', await readFile(`${kernel}.wat`, 'utf8'), {
    simd: true,
    threads: true,
  })
  return module.toBinary({}).buffer
}

if (import.meta.main) await writeFile(`${kernel}.wasm`, await compileKernel())
