import { expect, it } from 'vitest'
import { describeEachEngine } from '../engines.ts'
import { deliverThroughFaults } from './webhooks.ts'

describeEachEngine('a receiver that is down, and a sender that is killed', (engine) => {
  it('every event arrives, in order for each watch, and every signature verifies', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await deliverThroughFaults({ settings }, { events: 600, hours: 12 })
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(3)
  })
})
