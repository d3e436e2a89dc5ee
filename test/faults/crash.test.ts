import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { crash } from './crash.ts'

const kills = runs(3, 5)

// Kills only the writers, because all tests share the server. The drill kills its own server as well.
describeEachEngine('kill -9 during writes', (engine) => {
  it(`an acknowledged write survives each of ${kills} kill -9 (at night 5) completely`, async () => {
    const plan = { kills, writes: 60 * kills }
    const report = await crash({ name: engine.name, settings: { ...(await engine.settings()) } }, plan)
    expect(report).toMatchObject({ kills, lost: [], halfWritten: [], gaps: [] })
    expect(report.integrity.isBroken, report.integrity.verdict).toBe(false)
    expect(report.writes).toBeGreaterThanOrEqual(plan.writes)
  })
})
