// Tests that an import is one run: whole or not at all, in the log of runs, and undone by its number.
import { expect, test } from 'vitest'
import { findRun, listRuns, type Run } from '../../src/catalogue/runs/run-log.ts'
import { getHead, readAfter } from '../../src/changes/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { undo } from '../catalogue/undo.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import type { ManualClock } from '../manual-clock.ts'

const table = 'brand,reference,collection,price,dial\nRolex,1,Sub,100,Black\nTudor,2,Bay,200,Blue\n'

describeEachEngine('a run', (engine) => {
  test('that fails leaves nothing behind, and the log says why', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const [rows, { sequence }] = [await catalogueRows(parts.database), await getHead(parts.database.reader)]
    const many = Array.from({ length: 2_500 }, (_, at) => `Omega,${at},${at + 1}`)
    const bad = [...many, ...many.slice(0, 5).map(() => 'Omega,,1')]
    const files: Record<string, [string, RegExp]> = {
      'bad.csv': [`brand,reference,price\n${bad.join('\n')}\n`, /more than 2 rows.*Nothing was written\.$/s],
      'bare.csv': ['brand,price\nOmega,1\n', /reference/],
      'cut.json': [
        `[${many.map((_, at) => `{"brand":"Omega","reference":"${at}"}`).join()},`,
        /brackets.*Nothing was written\.$/s,
      ],
    }
    for (const [name, [text, message]] of Object.entries(files)) {
      await expect(importFiles(parts, { [name]: text }, { maxErrors: 2 })).rejects.toThrow(message)
      expect(await catalogueRows(parts.database)).toEqual(rows)
      expect((await getHead(parts.database.reader)).sequence).toBe(sequence)
      const [last] = await listRuns(parts.database.reader, 1)
      expect(last).toMatchObject({ kind: 'watches', state: 'failed', who: 'operator', undone_by: null })
      expect(last?.details.error).toMatch(message)
      expect(last?.details.files).toMatchObject([{ name: expect.stringContaining(name) }])
      await expect(undo(parts, last?.id ?? 0)).rejects.toThrow('changed nothing')
    }
  })

  test('in batches that fails says how many watches were written, and can be undone', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    const rows = await catalogueRows(parts.database)
    const many = Array.from({ length: 2_500 }, (_, at) => `Omega,${at},${at + 1}`)
    const file = { 'a.csv': `brand,reference,price\nRolex,1,101\n${many.join('\n')}\nOmega,,1\n` }
    let first: Promise<Run | undefined> | undefined
    const onProgress = () => {
      first ??= findRun(parts.database.reader, 2)
    }
    const failure = importFiles(parts, file, { maxErrors: 0, isInBatches: true, onProgress })
    await expect(failure).rejects.toThrow(/2,000 watches were written: `watchdata imports undo 2`/)
    // What a process leaves that is killed after its first batch.
    expect((await first)?.details.files).toEqual([
      {
        name: expect.stringMatching(/a\.csv$/),
        format: 'csv',
        bytes: file['a.csv'].length,
        mapping: expect.anything(),
      },
    ])
    expect((await catalogueRows(parts.database)).watches).toHaveLength(2 + 1_999)
    expect(await undo(parts, 2)).toMatchObject({ restored: 1, deleted: 1_999, brands: 1, left: 0 })
    expect(await catalogueRows(parts.database)).toEqual(rows)
  })

  test('and its undo are told by the change feed as ordinary changes', async () => {
    const parts = await openFresh(engine)
    const { reader } = parts.database
    await importFiles(parts, { 'a.csv': table })
    const file = 'brand,reference,dial,price\nRolex,1,Blue,150\nOmega,3,Red,300\n'
    const { run = 0 } = await importFiles(parts, { 'b.csv': file }, { prune: async () => {} })
    const { sequence } = await getHead(reader)
    const told = await changesAfter(parts.database, 4)
    expect(told).toEqual([
      'brand.created 3',
      'watch.updated 1 {"specs.dial_color":{"old":"Black","new":"Blue"}}',
      'watch.price_changed 1 100 → 150',
      'watch.created 3',
      'watch.deleted 2',
    ])
    await undo(parts, run)
    expect(await changesAfter(parts.database, sequence)).toEqual([
      'watch.updated 1 {"specs.dial_color":{"old":"Blue","new":"Black"}}',
      'watch.price_changed 1 150 → 100',
      'watch.deleted 3',
      'watch.created 2',
      'brand.deleted 3',
    ])
  })

  test('can be undone once, and only if it is an import that changed something', async () => {
    const parts = await openFresh(engine)
    await importFiles(parts, { 'a.csv': table })
    await importFiles(parts, { 'a.csv': table })
    expect((await undo(parts, 1, { isDryRun: true })).run).toBeUndefined()
    expect(await undo(parts, 1)).toMatchObject({ run: 3, deleted: 2, brands: 2 })
    await expect(undo(parts, 1)).rejects.toThrow('Run 1 is already undone, by run 3.')
    await expect(undo(parts, 2)).rejects.toThrow('Run 2 changed nothing.')
    await expect(undo(parts, 3)).rejects.toThrow('Run 3 is an undo')
    await expect(undo(parts, 4)).rejects.toThrow('There is no run 4')
  })
})

async function changesAfter({ reader }: Database, sequence: number): Promise<string[]> {
  return (await readAfter(reader, sequence, 100)).map(({ type, subjectId, data }) => {
    const {
      changes,
      old,
      new: now,
    } = (data ?? {}) as {
      changes?: object
      old?: { current_market_price: number }
      new?: { current_market_price: number }
    }
    const prices = old && `${old.current_market_price} → ${now?.current_market_price}`
    const detail = changes === undefined ? prices : JSON.stringify(changes)
    return `${type} ${subjectId}${detail === undefined ? '' : ` ${detail}`}`
  })
}

/** Moves the clock by a day and a bit. */
function _later(clock: ManualClock): void {
  clock.moveTo(new Date(clock.nowMs() + 86_400_001).toISOString())
}
