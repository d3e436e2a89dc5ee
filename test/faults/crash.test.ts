import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { crash } from './crash.ts'

// Kills only the writers, because all tests share the server. The drill kills its own server as well.
describeEachEngine('kill -9 during writes', (engine) => {
  it('an acknowledged write survives kill -9 completely', async () => {
    const plan = { kills: 5, writes: 300 }
    const report = await crash({ name: engine.name, settings: { ...(await engine.settings()) } }, plan)
    expect(report).toMatchObject({ kills: 5, lost: [], halfWritten: [], gaps: [] })
    expect(report.integrity.isBroken, report.integrity.verdict).toBe(false)
    expect(report.writes).toBeGreaterThanOrEqual(plan.writes)
  })
})
