// Guarantees about exports of prices that are imported on both engines: they restore the history line by line.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exportCatalogue } from '../../src/catalogue/export/export-catalogue.ts'
import { exportSource } from '../../src/catalogue/prices.ts'
import { getHead } from '../../src/changes/log.ts'
import { parseOutputFormat } from '../../src/files/output/write-format.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { importFiles } from '../catalogue/import-files.ts'
import {
  importPriceFiles,
  linesOf,
  openPriceFixture,
  priceOf,
  writeLines,
} from '../catalogue/price-fixture.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'

/** The date of the manual clock. */
const today = '2026-03-01'

describeEachEngine('an import of exported prices', (engine) => {
  test.each(['csv', 'ndjson', 'parquet', 'csv.gz'])(
    'restores an export as %s line by line',
    async (ending) => {
      const fixture = await openPriceFixture(engine)
      const [other, file] = [await openPriceFixture(engine), path.join(fixture.directory, `prices.${ending}`)]
      await writeLines(fixture, [
        [1, '2024-01-01', 100, 90.123456, 'sample'],
        [1, '2024-02-01', null, 123_456_789_012.25, '=1+1'],
        [1, '2024-03-01', null, null, 'NA'],
        [2, '2024-01-01', 0, 5, 'a, "b"'],
        [2, today, 43_000, 33_500.5, 'x'],
      ])
      await writeLines(other, [
        [1, '2024-01-01', 1, 2, 'other'],
        [1, '2024-02-01', 100, 90, 'other'],
        [2, '2024-01-01', 0, 5, 'other'],
      ])
      await exportCatalogue(fixture.database, 'prices', file, parseOutputFormat(file, undefined))
      const { added, changed, rejected } = await other.runFiles([file])
      expect([added, changed, rejected]).toEqual([2, 3, 0])
      for (const id of [1, 2]) expect(await other.history(id)).toEqual(await fixture.history(id))
      expect(await priceOf(other, 1)).toEqual([null, null])
      expect(await priceOf(other, 2)).toEqual([43_000, 33_500.5])
      expect(await other.runFiles([file])).toMatchObject({ added: 0, changed: 0, same: 5, repriced: 0 })
    },
  )

  test.each(['csv', 'ndjson', 'parquet'])(
    'together with an export of watches as %s restores the exported history',
    async (ending) => {
      const fixture = await openPriceFixture(engine)
      const [watches, prices, again] = ['watches', 'prices', 'again'].map((name) =>
        path.join(fixture.directory, `${name}.${ending}`),
      ) as [string, string, string]
      await writeLines(fixture, [
        [1, '2024-01-01', 100, 90, 'sample'],
        [1, '2024-02-01', 100, 95.5, 'x'],
        [2, '2024-01-01', null, 5, 'export'],
        [2, today, null, 6, 'x'],
        [3, '2024-03-01', null, 7, 'x'],
        [3, '2024-05-01', 5, null, 'x'],
      ])
      const { database } = await openFresh(engine)
      const other = { ...fixture, database }
      await exportCatalogue(fixture.database, 'watches', watches, parseOutputFormat(watches, undefined))
      await exportCatalogue(fixture.database, 'prices', prices, parseOutputFormat(prices, undefined))
      await importFiles(other, { [`watches.${ending}`]: await readFile(watches) })
      const rejects = new Rejects(path.join(fixture.directory, 'none.ndjson'), 0)
      const run = () => importPriceFiles({ database, clock: fixture.clock, rejects }, [prices])
      const head = (await getHead(database.reader)).sequence
      expect(await run()).toMatchObject({ repriced: 0, rejected: 0 })
      await exportCatalogue(database, 'prices', again, parseOutputFormat(again, undefined))
      expect((await readFile(again)).equals(await readFile(prices))).toBe(true)
      expect(await run()).toMatchObject({ added: 0, changed: 0, same: 6, watches: 0, repriced: 0 })
      expect((await getHead(database.reader)).sequence).toBe(head)
      for (const id of [1, 2, 3]) expect(await priceOf(other, id)).toEqual(await priceOf(fixture, id))
    },
  )

  test('of an export that is older than the watches keeps their current price', async () => {
    const fixture = await openPriceFixture(engine)
    await writeLines(fixture, [[1, '2026-02-20', 100, 99, exportSource]])
    const file = 'watch_id,date,retail_price_usd,current_market_price,source\n1,2024-01-01,100,90,x\n'
    for (const added of [1, 0]) expect(await fixture.run([file])).toMatchObject({ added, repriced: 0 })
    expect((await linesOf(fixture, 1)).at(-1)).toEqual(['2026-02-20', 100, 99])
    expect(await priceOf(fixture, 1)).toEqual([100, 99])
  })
})
