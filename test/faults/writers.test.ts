import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { readWhileWriting } from './writers.ts'

const runMs = runs(2_500, 4_000)

describeEachEngine('overlapping writers', (engine) => {
  it(`no log reader misses a change while writers overlap for ${runMs} ms (at night 4000)`, async () => {
    const settings = await engine.settings('migrated')
    const report = await readWhileWriting({ ...settings }, { runMs, openMs: 1_500 })
    expect(report.findings).toEqual([])
    const once = { seen: report.written, gaps: 0, repeats: 0, failures: [] }
    for (const reader of report.readers) expect(reader).toMatchObject(once)
  })
})
