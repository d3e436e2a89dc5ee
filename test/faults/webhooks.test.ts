import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { deliverThroughFaults } from './webhooks.ts'

/** Several events of each watch, so that there is an order to keep. */
const plan = { events: runs(300, 600), hours: 12, watches: 60 }

describeEachEngine('a receiver that is down, and a sender that is killed', (engine) => {
  it('every event arrives, in order for each watch, and every signature verifies', async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await deliverThroughFaults({ settings }, plan)
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(3)
  })
})
