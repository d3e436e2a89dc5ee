import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { crash } from './crash.ts'

// Only the writers are killed here: the server belongs to all tests. The drill kills its own.
describeEachEngine('kill -9 during writes', (engine) => {
  it('an acknowledged write survives kill -9, whole', async () => {
    const plan = { kills: 5, writes: 300 }
    const report = await crash({ name: engine.name, settings: { ...(await engine.settings()) } }, plan)
    expect(report).toMatchObject({ kills: 5, lost: [], halfWritten: [], gaps: [] })
    expect(report.integrity.isBroken, report.integrity.verdict).toBe(false)
    expect(report.writes).toBeGreaterThanOrEqual(plan.writes)
  })
})
