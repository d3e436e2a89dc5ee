// Guarantees about imports of brands: each row matches its brand or creates one, a file is imported completely or not
// at all, and a second run changes nothing.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createBrand, readBrands } from '../../src/catalogue/brands.ts'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { loadSample, readSample } from '../../src/catalogue/sample.ts'
import { getHead, readAfter, recordChanges } from '../../src/changes/log.ts'
import type { Clock } from '../../src/clock.ts'
import { openRecords } from '../../src/files/open-records.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import { type BrandImportSummary, importBrands } from '../../src/imports/brands/import-brands.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

interface Parts {
  readonly database: Database
  readonly clock: Clock
}

interface Setting {
  readonly isDryRun?: boolean
  readonly maxErrors?: number
}

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-brands-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function importFile({ database, clock }: Parts, file: string, setting: Setting = {}) {
  const { isDryRun = false, maxErrors = 100 } = setting
  const rejects = new Rejects(`${file}.rejected`, maxErrors)
  try {
    const parts = { database, clock, signal: new AbortController().signal, who: 'operator' }
    return await importBrands(parts, await openRecords(file, {}), { rejects, isDryRun })
  } finally {
    await rejects.close()
  }
}

/** Returns the summary and the reasons of the rejected rows. */
async function importText(parts: Parts, name: string, text: string, setting: Setting = {}) {
  const file = path.join(await newDirectory(), name)
  await writeFile(file, text)
  const summary: BrandImportSummary = await importFile(parts, file, setting)
  const left = await readFile(`${file}.rejected`, 'utf8').catch(() => '')
  const reasons = left.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line).reason]))
  return { ...summary, reasons }
}

async function brandsOf({ database }: Parts) {
  const rows = await readBrands(database.reader)
  return rows.map(({ id: _, updated_at: __, aliases, ...row }) => ({ ...row, aliases: JSON.parse(aliases) }))
}

const table = `Brand Name,Country of Origin,Founded,Web Site,Also known as,Remark
Omega,Switzerland,1848,www.omegawatches.com,Ω; Big O,x
"A. Lange & Söhne",Germany,1845.0,https://www.alange-soehne.com/,"['Lange', 'ALS']",
Nomos,N/A,,,,
`

const omega = {
  name: 'Omega',
  slug: 'omega',
  country: 'Switzerland',
  founded_year: 1848,
  website: 'https://www.omegawatches.com',
  aliases: ['Ω', 'Big O'],
}

describeEachEngine('an import of brands', (engine) => {
  test('creates brands from common column names, each with a log entry', async () => {
    const parts = await openFresh(engine)
    const summary = await importText(parts, 'brands.csv', table)
    expect(summary).toMatchObject({ rows: 3, created: 3, updated: 0, rejected: 0, ignored: ['Remark'] })
    expect(await brandsOf(parts)).toEqual([
      omega,
      {
        name: 'A. Lange & Söhne',
        slug: 'a-lange-soehne',
        country: 'Germany',
        founded_year: 1845,
        website: 'https://www.alange-soehne.com/',
        aliases: ['Lange', 'ALS'],
      },
      { name: 'Nomos', slug: 'nomos', country: null, founded_year: null, website: null, aliases: [] },
    ])
    const changes = await readAfter(parts.database.reader, 0, 10)
    expect(changes.map(({ type }) => type)).toEqual(['brand.created', 'brand.created', 'brand.created'])
  })

  test('a second time changes nothing', async () => {
    const parts = await openFresh(engine)
    await importText(parts, 'brands.csv', table)
    const [head, brands] = [await getHead(parts.database.reader), await readBrands(parts.database.reader)]
    expect(await importText(parts, 'brands.csv', table)).toMatchObject({
      created: 0,
      updated: 0,
      unchanged: 3,
    })
    expect(await getHead(parts.database.reader)).toEqual(head)
    expect(await readBrands(parts.database.reader)).toEqual(brands)
  })

  test('finds a brand by name in any spelling, slug or alias, and adds new data to it', async () => {
    const parts = await openFresh(engine)
    await importText(parts, 'brands.csv', table)
    const [before] = await readBrands(parts.database.reader)
    const lines = [
      { name: ' OMEGA ', country: 'Schweiz', aliases: ['omega SA', 'Ω'] },
      { name: 'lange', founded: 1994 },
      { name: 'NOMOS', slug: 'nomos', website: null, url: '' },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    expect(await importText(parts, 'more.ndjson', text)).toMatchObject({
      updated: 2,
      unchanged: 1,
      rejected: 0,
    })
    expect(await brandsOf(parts)).toMatchObject([
      { ...omega, country: 'Schweiz', aliases: ['Ω', 'Big O', 'omega SA'] },
      { name: 'A. Lange & Söhne', founded_year: 1994, aliases: ['Lange', 'ALS'] },
      { name: 'Nomos' },
    ])
    const [change] = (await readAfter(parts.database.reader, 3, 10)).filter(
      ({ subjectId }) => subjectId === before?.id,
    )
    expect(change).toMatchObject({
      type: 'brand.updated',
      data: {
        changes: {
          country: { old: 'Switzerland', new: 'Schweiz' },
          aliases: { old: ['Ω', 'Big O'], new: ['Ω', 'Big O', 'omega SA'] },
        },
      },
    })
    const [after] = await readBrands(parts.database.reader)
    expect(after && before && after.updated_at > before.updated_at).toBe(true)
  })

  test('rejects invalid brands, ambiguous rows and rows that would rename a brand', async () => {
    const parts = await openFresh(engine)
    await importText(parts, 'brands.csv', table)
    const lines = [
      { name: '' },
      { name: 'Year', founded: 'long ago' },
      { name: 'Site', website: 'javascript:alert(1)' },
      { name: 'Slug', slug: 'Not/A Slug' },
      { name: 'Somebody else', slug: 'omega' },
      { name: 'Thief', aliases: ['Nomos'] },
      { name: { first: 'Object' } },
      { name: 'Tudor' },
      { name: 'tudor', country: 'Switzerland' },
    ]
    const text = lines.map((line) => JSON.stringify(line)).join('\n')
    const summary = await importText(parts, 'bad.ndjson', text)
    expect(summary).toMatchObject({ rows: 9, created: 1, updated: 0, rejected: 7, repeated: 1 })
    expect(summary.reasons).toEqual([
      'The name must not be empty.',
      expect.stringContaining('The year "long ago"'),
      expect.stringContaining('https://'),
      expect.stringContaining('cannot be used in a URL'),
      expect.any(String),
      expect.stringContaining('The slug omega belongs to Omega'),
      'Nomos is already used by Nomos.',
      'Line 8 has this brand already.',
    ])
  })

  test('writes nothing on a dry run, and nothing if too many rows are rejected', async () => {
    const parts = await openFresh(engine)
    expect(await importText(parts, 'brands.csv', table, { isDryRun: true })).toMatchObject({ created: 3 })
    expect(await brandsOf(parts)).toEqual([])
    const text = `name,founded\nA,x\nB,x\nC,1999\n`
    await expect(importText(parts, 'bad.csv', text, { maxErrors: 1 })).rejects.toThrow(/more than 1 row/)
    await expect(importText(parts, 'other.csv', 'ref,price\n1,2\n')).rejects.toThrow(
      /no column with the names of brands/,
    )
    expect(await brandsOf(parts)).toEqual([])
  })

  test.each(['csv', 'ndjson', 'parquet'])(
    'of an export (%s) creates the same brands in an empty database',
    async (ending) => {
      const { database } = await openFresh(engine)
      const clock = manualClock('2026-02-01T00:00:00.000Z')
      const sample = await readSample()
      await recordChanges(database, clock, async (tx, record) => {
        await loadSample(tx, clock, record, { ...sample, watches: [] })
        for (const [at, name] of ['OMEGA', '=1', '"x"', '42', 'ß'].entries()) {
          const aliases = ['Ω', `alias, ${at}`, '=1']
          const draft = {
            name,
            slug: `x-${at}`,
            aliases,
            country: null,
            founded_year: 1900 + at,
            website: null,
          }
          await createBrand(tx, clock, record, draft)
        }
        await tx.deleteFrom('brands').where('id', 'in', [3, 5]).execute()
      })
      const file = path.join(await newDirectory(), `brands.${ending}`)
      await exportCatalogue(database, 'brands', file, parseOutputFormat(file, undefined))
      const other = await openFresh(engine)
      const summary = await importFile(other, file)
      expect(summary).toMatchObject({ updated: 0, unchanged: 0, rejected: 0, repeated: 0, ignored: [] })
      expect(await readBrands(other.database.reader)).toEqual(await readBrands(database.reader))
      expect(await importFile(other, file)).toMatchObject({
        created: 0,
        updated: 0,
        unchanged: summary.created,
      })
      // Brands created later get new ids.
      await importText(other, 'more.ndjson', '{"name":"Later"}')
      const ids = (await readBrands(other.database.reader)).map(({ id }) => id)
      expect(ids.at(-1)).toBe((ids.at(-2) ?? 0) + 1)
    },
  )

  test('of an export into a catalogue that has other brands keeps both apart', async () => {
    const parts = await openFresh(engine)
    await importText(parts, 'brands.csv', table)
    const exported = `name,slug,aliases,country,founded_year,website,id,updated_at
Rolex,rolex,"[""Crown""]",Switzerland,1905,,1,2026-01-01T00:00:00.000Z
Omega,omega,[],Switzerland,,,9,2026-01-01T00:00:00.000Z
`
    expect(await importText(parts, 'export.csv', exported)).toMatchObject({ created: 1, updated: 1 })
    const [first, , , rolex] = await readBrands(parts.database.reader)
    // An export is complete: fields that it lacks are cleared.
    expect(first).toMatchObject({ name: 'Omega', aliases: '[]', founded_year: null, website: null })
    expect(rolex).toMatchObject({ name: 'Rolex', id: 4, updated_at: '2026-01-01T00:00:00.000Z' })
  })
})
