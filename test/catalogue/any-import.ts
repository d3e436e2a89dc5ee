// Makes arbitrary imports, of watches, prices or brands, for property tests.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { onTestFinished } from 'vitest'
import { daysBefore, today } from '../../src/catalogue/days.ts'
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
const source = fc.constantFrom('dealer', 'auction')
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

const anySetting = fc
  .record({ isReplacing: fc.boolean(), isInBatches: fc.boolean(), isPruning: fc.boolean(), source })
  .map(
    ({ isPruning, ...setting }): ImportSetting => ({
      ...setting,
      ...(isPruning ? { prune: async () => {} } : {}),
    }),
  )

const watchImport = (settings: fc.Arbitrary<ImportSetting>) =>
  fc
    .tuple(fc.array(watchFile, { minLength: 1, maxLength: 2 }), settings)
    .map(([files, setting]): AnyImport => {
      const named = Object.fromEntries(files.map((text, at) => [`${at}.csv`, text]))
      return told(
        { named, ...setting, prune: setting.prune !== undefined },
        async (parts) => (await importFiles(parts, named, setting)).run ?? 0,
      )
    })

/** Of today, or also of the two days before, on which other imports may have written lines too. */
const priceImport = (days: number) =>
  fc
    .array(fc.tuple(brandName, reference, fc.nat({ max: days }), price, price, source), {
      minLength: 1,
      maxLength: 6,
    })
    .map(
      (rows): AnyImport =>
        told(rows, async (parts) => {
          const lines = rows.map(([brand, number, ago, ...cells]) =>
            [brand, number, daysBefore(today(parts.clock), ago), ...cells].join(),
          )
          const head = 'brand,reference,date,retail,market,source'
          const file = await newFile('prices.csv', `${head}\n${lines.join('\n')}\n`)
          const rejects = new Rejects(`${file}.rejected`, 100)
          return (await importPriceFiles({ ...parts, rejects }, [file])).run ?? 0
        }),
    )

const brandImport = fc
  .array(fc.tuple(brandName, fc.constantFrom('', 'CH', 'DE')), { minLength: 1, maxLength: 3 })
  .map((rows): AnyImport => {
    const lines = rows.map((cells) => cells.join())
    return told(rows, async (parts) => {
      const file = await newFile('brands.csv', `name,country\n${lines.join('\n')}\n`)
      const rejects = new Rejects(`${file}.rejected`, 100)
      const run = { ...parts, signal: new AbortController().signal, who: 'operator' }
      const summary = await importBrands(run, await openRecords(file, {}), { rejects, isDryRun: false })
      await rejects.close()
      return summary.run ?? 0
    })
  })

export const anyImport = fc.oneof(
  { weight: 3, arbitrary: watchImport(anySetting) },
  priceImport(2),
  brandImport,
)
/** An import that gives watches the newest prices, and takes none from them. */
export const pricingImport = fc.oneof(
  watchImport(fc.record({ isReplacing: fc.constant(false), isInBatches: fc.boolean(), source })),
  priceImport(0),
)

/** Makes a counterexample readable. */
function told(what: unknown, run: AnyImport): AnyImport {
  return Object.assign(run, { [fc.toStringMethod]: () => JSON.stringify(what) })
}

export async function newFile(name: string, text: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-runs-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const file = path.join(directory, name)
  await writeFile(file, text)
  return file
}
