// Tests that the undo of a run restores what was before, in whatever order runs are undone, except what was changed since.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { editWatch } from '../../src/catalogue/edit/edit-watch.ts'
import { BrandFinder } from '../../src/catalogue/find-brand.ts'
import { removeOldJournals } from '../../src/catalogue/runs/remove-old-journals.ts'
import { findRun } from '../../src/catalogue/runs/run-log.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { anyImport, newFile } from '../catalogue/any-import.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { removeWatch, setPrice } from '../catalogue/catalogue-writes.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { importPriceFiles } from '../catalogue/price-fixture.ts'
import { undo } from '../catalogue/undo.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { later, manualClock } from '../manual-clock.ts'

const table = 'brand,reference,collection,price,dial\nRolex,1,Sub,100,Black\nTudor,2,Bay,200,Blue\n'

describeEachEngine('a run', (engine) => {
  test('that is undone leaves the catalogue as it was before, byte for byte, whatever the import did', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    await fc.assert(
      fc.asyncProperty(fc.array(anyImport, { minLength: 1, maxLength: 5 }), async (imports) => {
        const before: [run: number, rows: unknown][] = []
        for (const one of imports) {
          later(clock)
          const rows = await catalogueRows(database)
          const run = await one({ database, clock })
          const { details } = (await findRun(database.reader, run)) ?? {}
          expect(details?.files?.every(({ sha256 }) => /^[\da-f]{64}$/.test(sha256 ?? ''))).toBe(true)
          before.push([run, rows])
        }
        for (const [run, rows] of before.toReversed()) {
          later(clock)
          const now = await catalogueRows(database)
          if (JSON.stringify(now) === JSON.stringify(rows)) continue
          expect(await undo({ database, clock }, run)).toMatchObject({ left: 0 })
          expect(await catalogueRows(database)).toEqual(rows)
        }
      }),
      { numRuns: runs(6, 60), endOnFailure: true },
    )
  })

  test('is undone to the last byte in whatever order runs are undone, as soon as nothing of it is left', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const attempts = fc.array(fc.nat({ max: 3 }), { maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyImport, { minLength: 2, maxLength: 4 }),
        attempts,
        async (imports, order) => {
          const rows = await catalogueRows(database)
          const made: number[] = []
          const former = new Map<number, unknown>()
          for (const one of imports) {
            later(clock)
            const state = await catalogueRows(database)
            const run = await one({ database, clock })
            made.push(run)
            former.set(run, state)
          }
          const undone = new Set<number>()
          const tried = order.map((at) => made[at % made.length] ?? 0)
          const inOrder = made.toReversed()
          // What is left of one run may have to wait for what is left of another.
          for (const run of [...tried, ...inOrder, ...inOrder, ...inOrder]) {
            later(clock)
            const before = await catalogueRows(database)
            const why = await undo({ database, clock }, run).then(
              () => '',
              (error) => String(error),
            )
            undone.add(run)
            // As soon as the last runs are undone, in any order, the catalogue is as it was before the first of them.
            if (why === '') {
              const first = Math.min(...undone)
              const log = await Promise.all(made.map((one) => findRun(database.reader, one)))
              const isWhole = made.every((one, at) => {
                const { partlyUndoneBy } = log[at]?.details ?? {}
                return one < first || (undone.has(one) && partlyUndoneBy === undefined)
              })
              if (isWhole) expect(await catalogueRows(database)).toEqual(former.get(first))
              continue
            }
            expect(why).toMatch(/changed nothing|already undone/)
            expect(await catalogueRows(database)).toEqual(before)
          }
          expect(await catalogueRows(database)).toEqual(rows)
          const states = await Promise.all(made.map((run) => findRun(database.reader, run)))
          expect(states.map((run) => run?.details.partlyUndoneBy)).toEqual(made.map(() => undefined))
        },
      ),
      { numRuns: runs(3, 100), endOnFailure: true },
    )
  })

  test('tells a spec that it added and that was renamed since', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    await importFiles(parts, { 'a.csv': 'brand,reference\nRolex,1\n' })
    await importFiles(parts, { 'a.csv': 'brand,reference,strap_code\nRolex,1,red\n' })
    const care = { ...parts, finder: await BrandFinder.read(database.reader) }
    const rename = (from: string, to: string) => async () =>
      void (await editWatch(care, 1, (fields) => ({ ...fields, specs: fields.specs.replace(from, to) })))
    await rename('strap_code', 'strap')()
    expect((await undo(parts, 2)).leftAlone).toEqual([
      { what: 'Rolex 1', id: 1, why: 'changed since, and left: specs.strap_code, which is specs.strap now' },
    ])
    await rename('strap', 'strap_code')()
    expect(await undo(parts, 2)).toMatchObject({ left: 0, restored: 1 })
    expect((await catalogueRows(database)).watches).toMatchObject([{ specs: '{}' }])
  })

  test('gives the specs their former order, in whatever order it and a later run are undone', async () => {
    const files = [
      'brand,reference,k1,k2,k3\nRolex,1,a,b,c\n',
      'brand,reference,k3,k1,k2\nRolex,1,c,A,b\n',
      'brand,reference,k3,k1,k2\nRolex,1,c,A,B\n',
    ]
    for (const order of [
      [2, 1],
      [1, 2, 1],
    ]) {
      const parts = await openFresh(engine)
      const { database } = parts
      const made: number[] = []
      let before: unknown
      for (const [at, text] of files.entries()) {
        if (at === 1) before = await catalogueRows(database)
        const { run = 0 } = await importFiles(parts, { 'a.csv': text }, { isReplacing: true })
        made.push(run)
      }
      for (const at of order) await undo(parts, made[at] ?? 0).catch(() => undefined)
      expect(await catalogueRows(database)).toEqual(before)
    }
  })

  test('that a later run changed is undone as far as that one left it, and the rest after that one', async () => {
    const parts = await openFresh(engine)
    const older = table.replace('Sub', 'Old').replace('Black', 'White')
    await importFiles(parts, { 'a.csv': older.split('\n').slice(0, 2).join('\n') })
    const rows = await catalogueRows(parts.database)
    await importFiles(parts, { 'a.csv': table })
    await importFiles(parts, { 'a.csv': table.replace('Black', 'Grey').replace('200', '210') })
    expect(await undo(parts, 2)).toMatchObject({
      ...{ run: 4, restored: 1, deleted: 0, left: 2, later_runs: [3] },
      leftAlone: [
        { what: 'Rolex 1', why: 'changed since, and left: specs.dial_color' },
        { what: 'Tudor 2', why: 'was changed by a later run' },
      ],
    })
    const { watches } = await catalogueRows(parts.database)
    expect(watches).toMatchObject([
      { collection: 'Old', specs: '{"dial_color":"Grey"}' },
      { collection: 'Bay', current_market_price: 210 },
    ])
    expect(await findRun(parts.database.reader, 2)).toMatchObject({
      undone_by: null,
      details: { partlyUndoneBy: 4 },
    })
    expect(await undo(parts, 3)).toMatchObject({ run: 5, restored: 2, left: 0, later_runs: [], waiting: [2] })
    expect(await undo(parts, 2)).toMatchObject({ run: 6, restored: 1, deleted: 1, brands: 1, left: 0 })
    expect(await catalogueRows(parts.database)).toEqual(rows)
    await expect(undo(parts, 2)).rejects.toThrow('Run 2 is already undone, by run 6.')
  })

  test('of which a part waits for two later runs is named only after the second of them', async () => {
    const parts = await openFresh(engine)
    for (const dial of ['Black', 'Grey', 'Blue', 'Green'])
      await importFiles(parts, { 'a.csv': `brand,reference,dial,k${dial}\nRolex,1,${dial},x\n` })
    expect(await undo(parts, 2)).toMatchObject({ left: 1, later_runs: [3, 4] })
    expect(await undo(parts, 3)).toMatchObject({ left: 1, waiting: [] })
    expect(await undo(parts, 4)).toMatchObject({ left: 0, waiting: [3] })
    expect(await undo(parts, 3)).toMatchObject({ left: 0, waiting: [2] })
  })

  test('undone before a later one of other fields leaves no trace, not even in the time of the last change', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    await importFiles(parts, { 'a.csv': table })
    const rows = await catalogueRows(database)
    later(clock)
    await importFiles(parts, { 'a.csv': 'brand,reference,dial\nRolex,1,Grey\n' })
    later(clock)
    await importFiles(parts, { 'a.csv': 'brand,reference,jewels\nRolex,1,25\n' })
    for (const run of [2, 3]) {
      later(clock)
      expect(await undo(parts, run)).toMatchObject({ restored: 1, left: 0 })
    }
    expect(await catalogueRows(database)).toEqual(rows)
    expect(await undo(parts, 1)).toMatchObject({ deleted: 2, left: 0 })
  })

  test('that gave watches another key and deleted the old ones is undone at once', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const rows = await catalogueRows(parts.database)
    const file = {
      'b.csv': table.replace('brand,', 'sku,brand,').replace('Rolex', 'a,Rolex').replace('Tudor', 'b,Tudor'),
    }
    await importFiles(parts, file, { key: { spec: 'sku' }, prune: async () => {} })
    expect(await undo(parts, 2)).toMatchObject({ deleted: 2, recreated: 2, left: 0 })
    expect(await catalogueRows(parts.database)).toEqual(rows)
  })

  test('that deleted one of several watches of a reference brings it back beside the others', async () => {
    const parts = await openFresh(engine)
    const lines = ['sku,brand,reference', 'a,Rolex,1', 'b,Rolex,1', 'c,Rolex,2']
    const setting = { key: { spec: 'sku' }, prune: async () => {} }
    await importFiles(parts, { 'a.csv': lines.join('\n') }, setting)
    const rows = await catalogueRows(parts.database)
    await importFiles(parts, { 'b.csv': [lines[0], 'a,Rolex,3', lines[3]].join('\n') }, setting)
    expect(await undo(parts, 2)).toMatchObject({ restored: 1, recreated: 1, left: 0 })
    expect(await catalogueRows(parts.database)).toEqual(rows)
  })

  test('that renamed a watch leaves it if another has its former reference since', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    const parts = { database, clock }
    const setting = { key: { spec: 'sku' } }
    for (const line of ['a,Rolex,1', 'a,Rolex,2', 'b,Rolex,1']) {
      later(clock)
      await importFiles(parts, { 'a.csv': `sku,brand,reference\n${line}\n` }, setting)
    }
    later(clock)
    expect((await undo(parts, 2)).leftAlone).toEqual([
      { what: 'Rolex 2', id: 1, why: 'its former reference is in the catalogue again' },
    ])
  })

  test('that gave a new watch prices of several days deletes it again', async () => {
    const parts = await openFresh(engine)
    const first =
      '{"id":1,"brand":"Rolex","collection":"Sub","reference_number":"1","retail_price_usd":null,"current_market_price":100,"specs":{},"updated_at":"2024-03-01T00:00:00.000Z"}\n'
    await importFiles(parts, { 'a.ndjson': first, 'b.csv': 'brand,reference,price\nRolex,1,200\n' })
    expect((await catalogueRows(parts.database)).prices).toHaveLength(2)
    expect(await undo(parts, 1)).toMatchObject({ deleted: 1, left: 0 })
    expect(await catalogueRows(parts.database)).toMatchObject({ watches: [], prices: [] })
  })

  test('of which the journal is being deleted is refused, not undone by half', async () => {
    const { database } = await openFresh(engine)
    const clock = manualClock()
    await importFiles({ database, clock }, { 'a.csv': `${table}Rolex,,Sub,100,Black\n` })
    const { details } = (await findRun(database.reader, 1)) ?? {}
    expect(details?.rejects).toHaveLength(1)
    const rows = await catalogueRows(database)
    clock.moveTo(new Date(clock.nowMs() + 31 * 86_400_000).toISOString())
    // The deletion is stopped before its first batch.
    await removeOldJournals(database, clock, 30, AbortSignal.abort())
    await expect(undo({ database, clock }, 1)).rejects.toThrow('Run 1 is too old to be undone')
    expect(await catalogueRows(database)).toEqual(rows)
    await removeOldJournals(database, clock, 30, new AbortController().signal)
    expect(await database.reader.selectFrom('run_watches').selectAll().execute()).toEqual([])
    const { rejects: _, ...rest } = details ?? {}
    expect((await findRun(database.reader, 1))?.details).toEqual(rest)
  })

  test('of prices that is undone before an earlier one names it, as soon as the rest of it can be undone', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': 'brand,reference\nRolex,1\n' })
    const rows = await catalogueRows(parts.database)
    for (const line of ['2024-01-01,100', '2025-01-01,200']) {
      const file = await newFile('prices.csv', `brand,reference,date,market\nRolex,1,${line}\n`)
      await importPriceFiles({ ...parts, rejects: new Rejects(`${file}.rejected`, 100) }, [file])
    }
    expect(await undo(parts, 2)).toMatchObject({ left: 1, later_runs: [3] })
    expect(await undo(parts, 3)).toMatchObject({ left: 0, waiting: [2] })
    expect(await undo(parts, 2)).toMatchObject({ left: 0, waiting: [] })
    expect(await catalogueRows(parts.database)).toEqual(rows)
  })

  test('that is undone leaves what was changed after it, and says what', async () => {
    const parts = await openFresh(engine)
    const { database } = parts
    const clock = manualClock()
    const lines = ['1,A,Black,10', '2,A,Black,20', '3,A,Black,30', '4,A,Black,40', '5,A,Black,50']
    const file = (line: (text: string) => string, more = '') =>
      `brand,reference,collection,dial,price\n${lines.map((text) => `Rolex,${line(text)}\n`).join('')}${more}`
    await importFiles({ database, clock }, { 'a.csv': file((text) => text) })
    later(clock)
    const changed = file(
      (text) => text.replace('A,Black', 'B,Blue').replace(/0$/, '5'),
      'Omega,6,C,Green,60\nOmega,7,C,Green,70\n',
    )
    const { run = 0 } = await importFiles({ database, clock }, { 'b.csv': changed })
    later(clock)
    // Watch 1 is untouched. Of 2 a field was changed, of 3 a price, 4 was deleted; 6, which the run created, was changed.
    const care = { database, clock, finder: await BrandFinder.read(database.reader) }
    await editWatch(care, 2, (fields) => ({ ...fields, collection: 'Mine' }))
    await setPrice(database, clock, 3, { retail_price_usd: null, current_market_price: 33 })
    await removeWatch(database, clock, 4)
    await editWatch(care, 6, (fields) => ({ ...fields, specs: '{"dial_color":"Grey"}' }))
    later(clock)
    const summary = await undo({ database, clock }, run)
    expect(summary).toMatchObject({ restored: 4, deleted: 1, recreated: 0, left: 4, brands_kept: 1 })
    expect(summary.leftAlone).toEqual([
      { what: 'Rolex 2', id: 2, why: 'changed since, and left: collection' },
      { what: 'Rolex 3', id: 3, why: 'changed since, and left: current_market_price' },
      { what: 'watch 4', id: 4, why: 'was deleted since' },
      { what: 'Omega 6', id: 6, why: 'was changed since, and stays' },
    ])
    const watches = (await catalogueRows(database)).watches.map(
      ({ id, collection, current_market_price, specs }) =>
        `${id} ${collection} ${current_market_price} ${JSON.parse(specs).dial_color}`,
    )
    expect(watches).toEqual([
      '1 A 10 Black',
      '2 Mine 20 Black',
      '3 A 33 Black',
      '5 A 50 Black',
      '6 C 60 Grey',
    ])
  })
})
