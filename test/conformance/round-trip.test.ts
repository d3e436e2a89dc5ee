// Tests that export → import → export is identical, in every format, into an empty catalogue and into the same one.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { type ExportSubject, exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { getHead } from '../../src/changes/log.ts'
import { openRecords } from '../../src/files/open-records.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import { importBrands } from '../../src/imports/brands/import-brands.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import type { Database } from '../../src/storage/database.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { freshConfig, openFresh, openUnmigrated } from '../databases/open-database.ts'
import { isNightly } from '../depth.ts'
import { manualClock } from '../manual-clock.ts'
import type { RandomCatalogue, RandomWatch } from '../search/random-catalogue.ts'
import { storeCatalogue } from '../search/stored-catalogue.ts'
import { hostileCatalogue } from './hostile-watches.ts'

const clock = manualClock('2026-05-01T00:00:00.000Z')
const plainFormats = ['ndjson', 'csv', 'parquet'] as const
const formats = [...plainFormats, 'csv.gz', 'ndjson.zst'] as const
/** Compression does not depend on the engine: by day, one is enough. */
const formatsOf = ({ name }: Engine) => (name === 'sqlite' || isNightly ? formats : plainFormats)

describeEachEngine('an export that is imported', (engine) => {
  test.each(formatsOf(engine))(
    'as %s recreates the same catalogue, and changes nothing in the exported one',
    async (format) => {
      const database = await openUnmigrated(await freshConfig(engine, 'sample'))
      // Creates gaps in the ids, as in every older catalogue.
      await database.write((tx) => tx.deleteFrom('watches').where('id', 'in', [3, 7, 100, 338]).execute())
      await expectRoundTrip(database, (await openFresh(engine)).database, format)
    },
  )

  test.each(plainFormats)('as %s does so for random watches with hostile values', async (format) => {
    const [source, target] = [await openFresh(engine), await openFresh(engine)]
    await fc.assert(
      fc.asyncProperty(hostileCatalogue.map(written), async (catalogue) => {
        // An empty file is rejected, because it is more often a mistake than a catalogue.
        fc.pre(catalogue.watches.length > 0)
        await storeCatalogue(source.database, catalogue)
        await target.database.write(async (tx) => {
          await tx.deleteFrom('watches').execute()
          await tx.deleteFrom('brands').execute()
        })
        await expectRoundTrip(source.database, target.database, format)
      }),
      { numRuns: 4, endOnFailure: true },
    )
  })

  test('changes only what was edited in it', async () => {
    const database = await openUnmigrated(await freshConfig(engine, 'sample'))
    const text = (await exported(database, 'watches', 'csv')).toString()
    const edited = text.replace('Lange 1,"""191.032', 'Lange 1 Special,"""191.032')
    expect(edited).not.toBe(text)
    expect(await importFiles({ database, clock }, { 'a.csv': edited })).toMatchObject({
      created: 0,
      updated: 1,
      unchanged: 337,
      changes: [{ fields: { collection: { old: 'Lange 1', new: 'Lange 1 Special' } } }],
    })
  })

  test('changes only the edited specs of watches whose files had other orders of columns', async () => {
    const { database } = await openFresh(engine)
    const files = {
      'a.csv': 'brand,reference,dial color,movement\nRolex,1,black,automatic\nRolex,2,blue,automatic\n',
      'b.csv': 'brand,reference,movement,dial color\nRolex,3,quartz,green\n',
    }
    await importFiles({ database, clock }, files)
    const text = (await exported(database, 'watches', 'csv')).toString()
    expect(text).toContain('green,quartz,"[""movement_type"",""dial_color""]"')
    const edit = { 'a.csv': text.replace('green,quartz', ',manual') }
    expect(await importFiles({ database, clock }, edit)).toMatchObject({
      updated: 1,
      unchanged: 2,
      changes: [
        {
          fields: {
            'specs.dial_color': { old: 'green', new: null },
            'specs.movement_type': { old: 'quartz', new: 'manual' },
          },
        },
      ],
    })
  })

  test('into a catalogue with other ids for its watches keeps those ids', async () => {
    const [source, target] = [await openFresh(engine), await openFresh(engine)]
    const table = 'brand,reference,price\nRolex,1,100\nRolex,2,200\n'
    await importFiles({ database: source.database, clock }, { 'a.csv': table })
    const other = 'brand,reference,price\nTudor,9,900\nRolex,2,250\n'
    await importFiles({ database: target.database, clock }, { 'a.csv': other })
    const file = { 'a.ndjson': await exported(source.database, 'watches', 'ndjson') }
    expect(await importFiles({ database: target.database, clock }, file)).toMatchObject({
      created: 1,
      updated: 1,
      unchanged: 0,
    })
    const watches = await target.database.reader
      .selectFrom('watches')
      .select(['id', 'reference_number', 'current_market_price'])
      .orderBy('id')
      .execute()
    expect(watches).toEqual([
      { id: 1, reference_number: '9', current_market_price: 900 },
      { id: 2, reference_number: '2', current_market_price: 200 },
      { id: 3, reference_number: '1', current_market_price: 100 },
    ])
  })
})

/** Watches as the service writes them: serialised by JSON.stringify, and without values that an import rejects. */
function written({ brands, watches }: RandomCatalogue): RandomCatalogue {
  const refused = /\\u0000|\\ud[89a-f]|\d{16}|e[+-]?\d/i
  const isWritten = ({ specs }: RandomWatch) =>
    !refused.test(specs) && JSON.stringify(JSON.parse(specs)) === specs
  return { brands, watches: watches.filter(isWritten) }
}

async function expectRoundTrip(source: Database, target: Database, format: string): Promise<void> {
  const watches = await exported(source, 'watches', format)
  const brands = await exported(source, 'brands', format)
  await importBrandFile(target, brands, format)
  const anew = await importFiles({ database: target, clock }, { [`watches.${format}`]: watches })
  expect(anew.left).toEqual([])
  expect((await exported(target, 'watches', format)).equals(watches)).toBe(true)
  expect((await exported(target, 'brands', format)).equals(brands)).toBe(true)
  const { sequence } = await getHead(source.reader)
  const again = await importFiles({ database: source, clock }, { [`watches.${format}`]: watches })
  expect(again).toMatchObject({ created: 0, updated: 0, rejected: 0, repeated: 0 })
  await importBrandFile(source, brands, format)
  expect((await getHead(source.reader)).sequence).toBe(sequence)
  expect((await exported(source, 'watches', format)).equals(watches)).toBe(true)
}

async function exported(database: Database, of: ExportSubject, format: string): Promise<Buffer> {
  const file = path.join(await newDirectory(), `${of}.${format}`)
  await exportCatalogue(database, of, file, parseOutputFormat(file, undefined))
  return readFile(file)
}

async function importBrandFile(database: Database, contents: Buffer, format: string): Promise<void> {
  const file = path.join(await newDirectory(), `brands.${format}`)
  await writeFile(file, contents)
  const rejects = new Rejects(`${file}.rejected`, 0)
  const parts = { database, clock, signal: new AbortController().signal, who: 'operator' }
  await importBrands(parts, await openRecords(file, {}), { rejects, isDryRun: false })
  await rejects.close()
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-round-trip-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}
