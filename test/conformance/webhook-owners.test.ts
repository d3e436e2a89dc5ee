// Tests webhooks and their accounts: suspended and reactivated, notified by email, deleted while events are in flight.
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { openLog } from '../../src/log.ts'
import { deleteEndpoint } from '../../src/webhooks/endpoints/delete-endpoint.ts'
import { notifyOwners } from '../../src/webhooks/endpoints/notices.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { runs } from '../depth.ts'
import { openWebhookFixture } from '../webhooks/webhook-fixture.ts'

const hourMs = 3_600_000

describeEachEngine('webhook owners', (engine) => {
  test('after a suspension the chain of sequences shows what was not sent', async () => {
    const fixture = await openWebhookFixture(engine)
    const other = await fixture.database.write((tx) =>
      createAccount(tx, fixture.clock, { email: 'b@example.com', name: 'B', plan: 'platinum' }),
    )
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}mine` })
    await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}other` }, other)
    const [watch = 0] = await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const setStatus = (status: 'active' | 'suspended') =>
      fixture.database.write((tx) =>
        tx.updateTable('accounts').set({ status }).where('id', '=', fixture.accountId).execute(),
      )
    await setStatus('suspended')
    await fixture.untilPlansAreRead()
    await fixture.setPrice(watch, 1)
    await fixture.sender.deliverDue()
    await setStatus('active')
    await fixture.untilPlansAreRead()
    await fixture.setPrice(watch, 2)
    await fixture.sender.deliverDue()
    const chain = fixture.receiver
      .taken('/mine')
      .map(({ body }) => [body.data.previous_sequence, body.data.sequence])
    expect(fixture.receiver.taken('/other')).toHaveLength(3)
    expect(chain).toHaveLength(2)
    // 3 was not sent, so 2 must not be named as the previous sequence.
    expect(chain.at(-1)).not.toEqual([2, 4])
  })

  test('a suspended account gets no pending deliveries', async () => {
    const fixture = await openWebhookFixture(engine)
    await fixture.createWebhook()
    fixture.receiver.answer = () => 500
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    await fixture.database.write((tx) => tx.updateTable('accounts').set({ status: 'suspended' }).execute())
    fixture.receiver.answer = () => 200
    await fixture.pass(hourMs)
    expect(fixture.receiver.taken()).toEqual([])
  })

  test('an email that cannot be sent does not delay those to other owners', async () => {
    const fixture = await openWebhookFixture(engine)
    const other = await fixture.database.write((tx) =>
      createAccount(tx, fixture.clock, { email: 'b@example.com', name: 'B', plan: 'platinum' }),
    )
    await fixture.createWebhook({})
    await fixture.createWebhook({}, other)
    fixture.receiver.answer = () => 410
    await fixture.createWatches(1)
    await fixture.sender.deliverDue()
    const told: string[] = []
    const mail = {
      send: async ({ to }: { to: string }) => {
        if (to === 'owner@example.com') throw new Error('550 no such user')
        told.push(to)
      },
    }
    await notifyOwners({ ...fixture, mail, log: openLog(fixture.config) })
    expect(told).toEqual(['b@example.com'])
  })

  test('a webhook can be deleted during a delivery', async () => {
    const fixture = await openWebhookFixture(engine)
    const other = await openUnmigrated(fixture.config)
    const failed: string[] = []
    for (let round = 0; round < runs(2, 5); round++) {
      const { id } = await fixture.createWebhook({ endpoint_url: `${fixture.receiver.url}${round}` })
      await fixture.createWatches(400)
      let deleting: Promise<void> | undefined
      const before = fixture.receiver.received.length
      fixture.receiver.answer = () => {
        if (fixture.receiver.received.length === before + 60 + round * 7) {
          deleting = deleteEndpoint(other, { accountId: fixture.accountId, id }).catch(
            (error) => void failed.push(error.message),
          )
        }
        return 200
      }
      await fixture.sender.deliverDue()
      await deleting
    }
    expect(failed).toEqual([])
  })
})
