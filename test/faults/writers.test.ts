import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { readWhileWriting } from './writers.ts'

describeEachEngine('overlapping writers', (engine) => {
  it('no log reader misses a change while writers overlap', async () => {
    const settings = await engine.settings('migrated')
    const report = await readWhileWriting({ ...settings }, { runMs: 4_000, openMs: 1_500 })
    expect(report.findings).toEqual([])
    const once = { seen: report.written, gaps: 0, repeats: 0, failures: [] }
    for (const reader of report.readers) expect(reader).toMatchObject(once)
  })
})
