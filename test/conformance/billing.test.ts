// Guarantees about plan requests on both engines: an account has at most one pending request, and an operator decides
// it.
import { expect, test } from 'vitest'
import { createAccount, findAccount } from '../../src/access/accounts/accounts.ts'
import {
  createOperatorBilling,
  declinePlan,
  grantPlan,
  listWaiting,
} from '../../src/access/billing/operator-billing.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const start = '2026-03-01T12:00:00.000Z'

describeEachEngine('a plan request', (engine) => {
  async function openBilling() {
    const { database } = await openFresh(engine)
    const clock = manualClock(start)
    const id = await database.write((tx) =>
      createAccount(tx, clock, { email: 'anna@example.com', name: 'Anna', plan: 'free' }),
    )
    const moveBy = (ms: number) => clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
    const decided = () =>
      database.reader
        .selectFrom('plan_requests')
        .select(['plan', 'status', 'decided_by'])
        .orderBy('asked_at')
        .execute()
    const billing = createOperatorBilling(database, clock)
    return { database, reader: database.reader, clock, id, moveBy, decided, billing }
  }

  test('waits for the operator, and changes nothing until then', async () => {
    const { billing, id, reader } = await openBilling()
    const asked = await billing.askForPlan(id, 'pro')
    expect(asked).toMatchObject({ status: 'pending', request: { plan: 'pro', asked_at: start } })
    expect(await billing.findWaiting(id)).toEqual('request' in asked && asked.request)
    expect(await listWaiting(reader, 10)).toEqual([
      {
        id: expect.any(String),
        email: 'anna@example.com',
        name: 'Anna',
        plan: 'free',
        asked_plan: 'pro',
        asked_at: start,
      },
    ])
    expect(await findAccount(reader, 'anna@example.com')).toMatchObject({ plan: 'free' })
  })

  test('for the current plan is rejected with a message', async () => {
    const { billing, id } = await openBilling()
    await expect(billing.askForPlan(id, 'free')).rejects.toMatchObject({
      code: 'invalid',
      details: { errors: { plan: ['The account is on the Free plan already.'] } },
    })
    expect(await billing.findWaiting(id)).toBeUndefined()
  })

  test('replaces the previous one; repeating the same request keeps its position in the queue', async () => {
    const { billing, id, decided, moveBy, reader } = await openBilling()
    await billing.askForPlan(id, 'pro')
    moveBy(1_000)
    await billing.askForPlan(id, 'pro')
    expect(await listWaiting(reader, 10)).toMatchObject([{ asked_plan: 'pro', asked_at: start }])
    await billing.askForPlan(id, 'platinum')
    expect(await listWaiting(reader, 10)).toMatchObject([{ asked_plan: 'platinum' }])
    expect(await decided()).toEqual([
      { plan: 'pro', status: 'withdrawn', decided_by: 'anna@example.com' },
      { plan: 'platinum', status: 'pending', decided_by: null },
    ])
  })

  test('is granted by setting that plan, and stays pending if another plan is set', async () => {
    const { billing, id, decided, database, clock } = await openBilling()
    await billing.askForPlan(id, 'pro')
    expect(await database.write((tx) => grantPlan(tx, clock, id, 'platinum', 'root'))).toBe(true)
    expect(await billing.findWaiting(id)).toMatchObject({ plan: 'pro' })
    expect(await database.write((tx) => grantPlan(tx, clock, id, 'pro', 'root'))).toBe(true)
    expect(await decided()).toEqual([{ plan: 'pro', status: 'granted', decided_by: 'root' }])
    expect(await database.write((tx) => grantPlan(tx, clock, id, 'pro', 'root'))).toBe(false)
  })

  test('is declined or withdrawn once, and is then no longer pending', async () => {
    const { billing, id, decided, database, clock, moveBy, reader } = await openBilling()
    const decline = () => database.write((tx) => declinePlan(tx, clock, id, 'root'))
    expect([await decline(), await billing.withdraw(id)]).toEqual([undefined, false])
    await billing.askForPlan(id, 'pro')
    moveBy(1_000)
    expect(await decline()).toMatchObject({ plan: 'pro', status: 'declined', decided_by: 'root' })
    await billing.askForPlan(id, 'pro')
    expect(await billing.withdraw(id)).toBe(true)
    expect([await decline(), await billing.withdraw(id)]).toEqual([undefined, false])
    expect((await decided()).map(({ status }) => status)).toEqual(['declined', 'withdrawn'])
    expect(await listWaiting(reader, 10)).toEqual([])
    expect(await findAccount(reader, 'anna@example.com')).toMatchObject({ plan: 'free' })
  })

  test('is only one, however many are made at once', async () => {
    const { billing, id, reader } = await openBilling()
    await Promise.all(
      Array.from({ length: 12 }, (_, at) => billing.askForPlan(id, at % 2 === 0 ? 'pro' : 'platinum')),
    )
    expect(await listWaiting(reader, 100)).toHaveLength(1)
  })
})
