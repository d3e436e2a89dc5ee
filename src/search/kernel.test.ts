import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { compileKernel } from '../../scripts/compile-kernel.ts'

test('kernel.wasm is what kernel.wat compiles to', async () => {
  const committed = await readFile(path.join(import.meta.dirname, 'kernel.wasm'))
  expect(Buffer.from(await compileKernel()).equals(committed), 'run node scripts/compile-kernel.ts').toBe(
    true,
  )
})
