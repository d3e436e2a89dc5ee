import { expect, it } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { runs } from '../depth.ts'
import { deliverThroughFaults } from './webhooks.ts'

/** Several events per watch, so that their order can be checked. */
const plan = { events: runs(150, 600), hours: runs(6, 12), watches: runs(30, 60) }

describeEachEngine('webhooks with a receiver that is down and a sender that is killed', (engine) => {
  it(`every one of ${plan.events} events (at night 600) arrives, in order for each watch, and every signature verifies`, async () => {
    const settings = { ...(await engine.settings('migrated')) }
    const report = await deliverThroughFaults({ settings }, plan)
    expect(report.findings).toEqual([])
    expect(report.kills).toBe(3)
  })
})
