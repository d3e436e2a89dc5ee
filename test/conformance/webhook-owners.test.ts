// Webhooks and the accounts that have them: suspended and back, told by letter, deleted while events are on their way.
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { openLog } from '../../src/log.ts'
import { deleteEndpoint } from '../../src/webhooks/endpoints/delete-endpoint.ts'
import { tellOwners } from '../../src/webhooks/endpoints/notices.ts'
import { runs } from '../depth.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { openWebhookDesk } from '../webhooks/webhook-fixture.ts'

const hourMs = 3_600_000

describeEachEngine('webhook owners', (engine) => {
  test('after a suspension the chain of sequences tells what was not sent', async () => {
    const desk = await openWebhookDesk(engine)
    const other = await desk.database.write((tx) =>
      createAccount(tx, desk.clock, { email: 'b@example.com', name: 'B', plan: 'platinum' }),
    )
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}mine` })
    await desk.createWebhook({ endpoint_url: `${desk.receiver.url}other` }, other)
    const [watch = 0] = await desk.createWatches(1)
    await desk.sender.deliverDue()
    const setStatus = (status: 'active' | 'suspended') =>
      desk.database.write((tx) =>
        tx.updateTable('accounts').set({ status }).where('id', '=', desk.accountId).execute(),
      )
    await setStatus('suspended')
    await desk.untilPlansAreRead()
    await desk.setPrice(watch, 1)
    await desk.sender.deliverDue()
    await setStatus('active')
    await desk.untilPlansAreRead()
    await desk.setPrice(watch, 2)
    await desk.sender.deliverDue()
    const chain = desk.receiver
      .taken('/mine')
      .map(({ body }) => [body.data.previous_sequence, body.data.sequence])
    expect(desk.receiver.taken('/other')).toHaveLength(3)
    expect(chain).toHaveLength(2)
    // 3 was not sent: 2 must not be told as the one before.
    expect(chain.at(-1)).not.toEqual([2, 4])
  })

  test('a suspended account gets nothing of what waits', async () => {
    const desk = await openWebhookDesk(engine)
    await desk.createWebhook()
    desk.receiver.answer = () => 500
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    await desk.database.write((tx) => tx.updateTable('accounts').set({ status: 'suspended' }).execute())
    desk.receiver.answer = () => 200
    await desk.pass(hourMs)
    expect(desk.receiver.taken()).toEqual([])
  })

  test('a letter that cannot be sent keeps no other owner waiting', async () => {
    const desk = await openWebhookDesk(engine)
    const other = await desk.database.write((tx) =>
      createAccount(tx, desk.clock, { email: 'b@example.com', name: 'B', plan: 'platinum' }),
    )
    await desk.createWebhook({})
    await desk.createWebhook({}, other)
    desk.receiver.answer = () => 410
    await desk.createWatches(1)
    await desk.sender.deliverDue()
    const told: string[] = []
    const mail = {
      send: async ({ to }: { to: string }) => {
        if (to === 'owner@example.com') throw new Error('550 no such user')
        told.push(to)
      },
    }
    await tellOwners({ ...desk, mail, log: openLog(desk.config) })
    expect(told).toEqual(['b@example.com'])
  })

  test('a webhook can be deleted while it is being sent to', async () => {
    const desk = await openWebhookDesk(engine)
    const other = await openUnmigrated(desk.config)
    const failed: string[] = []
    for (let round = 0; round < runs(2, 5); round++) {
      const { id } = await desk.createWebhook({ endpoint_url: `${desk.receiver.url}${round}` })
      await desk.createWatches(400)
      let deleting: Promise<void> | undefined
      const before = desk.receiver.received.length
      desk.receiver.answer = () => {
        if (desk.receiver.received.length === before + 60 + round * 7) {
          deleting = deleteEndpoint(other, { accountId: desk.accountId, id }).catch(
            (error) => void failed.push(error.message),
          )
        }
        return 200
      }
      await desk.sender.deliverDue()
      await deleting
    }
    expect(failed).toEqual([])
  })
})
