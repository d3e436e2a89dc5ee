// Makes arbitrary imports, of watches, prices or brands, for property tests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import { openRecords } from '../../src/files/open-records.ts'
import { importBrands } from '../../src/imports/brands/import-brands.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { type ImportSetting, importFiles } from './import-files.ts'
import { importPriceFiles } from './price-fixture.ts'
import type { UndoFixture } from './undo.ts'

/** One import of any kind. Returns its run. */
type AnyImport = (parts: UndoFixture) => Promise<number>

const [brandName, reference] = [fc.constantFrom('Rolex', 'Tudor', 'Omega'), fc.integer({ min: 1, max: 5 })]
const cell = fc.constantFrom('', 'a', 'b')
const price = fc.constantFrom('', '100', '150', '200')
const watchRow = fc
  .tuple(brandName, reference, cell, price, price, cell, cell, cell)
  .map((cells) => cells.join())
/** The order of its columns is that of the specs of new watches, and of all watches if it replaces them. */
const watchFile = fc
  .tuple(
    fc.array(watchRow, { minLength: 1, maxLength: 6 }),
    fc.shuffledSubarray(['k1', 'k2', 'k3'], { minLength: 3 }),
  )
  .map(([rows, keys]) => `brand,reference,collection,msrp,price,${keys}\n${rows.join('\n')}\n`)

const watchImport = fc
  .record({
    files: fc.array(watchFile, { minLength: 1, maxLength: 2 }),
    isReplacing: fc.boolean(),
    isInBatches: fc.boolean(),
    isPruning: fc.boolean(),
  })
  .map(({ files, isPruning, ...options }): AnyImport => {
    const setting: ImportSetting = { ...options, ...(isPruning ? { prune: async () => {} } : {}) }
    const named = Object.fromEntries(files.map((text, at) => [`${at}.csv`, text]))
    return async (parts) => (await importFiles(parts, named, setting)).run ?? 0
  })

const priceImport = fc
  .array(fc.tuple(brandName, reference, fc.integer({ min: 1, max: 3 }), price), {
    minLength: 1,
    maxLength: 6,
  })
  .map((rows): AnyImport => {
    const lines = rows.map(([brand, number, day, amount]) => `${brand},${number},2026-02-0${day},${amount}`)
    return async (parts) => {
      const file = await newFile('prices.csv', `brand,reference,date,price\n${lines.join('\n')}\n`)
      const rejects = new Rejects(`${file}.rejected`, 100)
      return (await importPriceFiles({ ...parts, rejects }, [file])).run ?? 0
    }
  })

const brandImport = fc
  .array(fc.tuple(brandName, fc.constantFrom('', 'CH', 'DE')), { minLength: 1, maxLength: 3 })
  .map((rows): AnyImport => {
    const lines = rows.map((cells) => cells.join())
    return async (parts) => {
      const file = await newFile('brands.csv', `name,country\n${lines.join('\n')}\n`)
      const rejects = new Rejects(`${file}.rejected`, 100)
      const run = { ...parts, signal: new AbortController().signal, who: 'operator' }
      const summary = await importBrands(run, await openRecords(file, {}), { rejects, isDryRun: false })
      await rejects.close()
      return summary.run ?? 0
    }
  })

export const anyImport = fc.oneof({ weight: 3, arbitrary: watchImport }, priceImport, brandImport)

export async function newFile(name: string, text: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-runs-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, name)
  await writeFile(file, text)
  return file
}
