// Tests what pending deliveries wait for, and redelivery on request, on every engine.
import { expect, test } from 'vitest'
import type { Database, Tx } from '../../src/storage/database.ts'
import { getDelivery } from '../../src/webhooks/deliveries/deliveries.ts'
import { listDeliveries } from '../../src/webhooks/deliveries/list-deliveries.ts'
import {
  redeliver,
  redeliveredMax,
  redeliverFailed,
  sendTest,
} from '../../src/webhooks/deliveries/redeliver.ts'
import { createEndpoint } from '../../src/webhooks/endpoints/endpoints.ts'
import type { DeliveryStatus } from '../../src/webhooks/tables.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { deliveryOf, draft, openFixture, rowOf, sealer, start, writeDeliveries } from './endpoint-fixture.ts'

describeEachEngine('deliveries', (engine) => {
  test('show what each delivery waits for, and the result of its last attempt', async () => {
    const { database, name, clock } = await openFixture(engine)
    await database.write((tx) => sendTest(tx, clock, name))
    const drafts = [2, 3, 4, 5].map((event) => ({
      event,
      status: 'waiting' as DeliveryStatus,
      type: 'watch.updated',
      subject: event === 5 ? 'watch:2' : 'watch:1',
    }))
    const delivered = { event: 6, status: 'delivered' as const, type: 'watch.updated', subject: 'watch:3' }
    await writeDeliveries(database, name.id, clock, [...drafts, delivered])
    const later = '2026-03-01T12:05:00.000Z'
    await database.write(async (tx) => {
      // As the sender left them, except the third, which it has not seen yet.
      await setNext(tx, [2, 4, 5], later)
      const attempt = { endpoint_id: name.id, event_id: 2, at: start, endpoint_url: 'https://a/' }
      const came = { ...attempt, duration_ms: 3, response_body: null }
      await tx
        .insertInto('webhook_attempts')
        .values([
          { ...came, attempt: 3, response_status: 500, error: null },
          { ...came, attempt: 4, response_status: null, error: 'No answer.' },
        ])
        .execute()
    })
    const told = async (set: { status?: 'paused' | 'disabled' | 'active'; probe_at?: string } = {}) => {
      await database.write((tx) =>
        tx
          .updateTable('webhook_endpoints')
          .set({ due_at: null, ...set })
          .execute(),
      )
      const wanted = { page: 1, perPage: 100 }
      const { deliveries } = await listDeliveries(database.reader, await rowOf(database), wanted)
      const [test, ...rest] = deliveries.toReversed().map((one) => [one.waiting_for, one.next_attempt_at])
      expect(test).toEqual([null, start])
      return rest
    }
    const behind = ['earlier_event', null]
    expect(await told()).toEqual([[null, later], behind, behind, [null, later], [null, null]])
    const probe_at = '2026-03-01T13:00:00.000Z'
    expect(await told({ probe_at })).toEqual([
      [null, probe_at],
      behind,
      behind,
      [null, probe_at],
      [null, null],
    ])
    for (const status of ['paused', 'disabled'] as const) {
      const held = [status, null]
      expect(await told({ status })).toEqual([held, held, held, held, [null, null]])
    }
    await told({ status: 'active' })
    const first = await getDelivery(database.reader, await rowOf(database), 2)
    expect([first.last_response_status, first.last_error]).toEqual([null, 'No answer.'])
    const again = await database.write((tx) => redeliver(tx, clock, name, 3))
    expect(again).toMatchObject({ waiting_for: 'earlier_event', next_attempt_at: null })
    // The row is like any requested redelivery; the sender enforces the order.
    expect(await deliveryOf(database, 3)).toMatchObject({ next_attempt_at: start })
  })
})

describeEachEngine('a redelivery', (engine) => {
  test('of one is attempted immediately, whether it was delivered, failed or waits for its retry', async () => {
    const { database, name, clock } = await openFixture(engine)
    await writeDeliveries(database, name.id, clock, [
      { event: 1, status: 'delivered', type: 'watch.updated' },
      { event: 2, status: 'failed', type: 'watch.updated' },
      { event: 3, status: 'delivered', type: 'watch.updated', subject: 'watch:2' },
    ])
    const again = (id: number) => database.write((tx) => redeliver(tx, clock, name, id))
    expect(await again(1)).toMatchObject({ id: 1, status: 'waiting', next_attempt_at: start })
    expect(await again(2)).toMatchObject({ id: 2, status: 'waiting', waiting_for: 'earlier_event' })
    expect(await again(3)).toMatchObject({ id: 3, status: 'waiting', next_attempt_at: start })
    expect(await deliveryOf(database, 2)).toMatchObject({ tries: 0, attempts: 4 })
    expect(await rowOf(database)).toMatchObject({ due_at: start, wakes: 3 })
    await database.write((tx) =>
      tx.updateTable('webhook_deliveries').set({ next_attempt_at: '2026-03-09T00:00:00.000Z' }).execute(),
    )
    expect(await again(1)).toMatchObject({ next_attempt_at: start })
    await expect(again(99)).rejects.toMatchObject({ code: 'not_found' })
  })

  test('waits while the webhook is paused, and is rejected while it is disabled', async () => {
    const { database, name, clock } = await openFixture(engine)
    await writeDeliveries(database, name.id, clock, [{ event: 1, status: 'failed', type: 'watch.updated' }])
    const setStatus = (status: 'paused' | 'disabled') =>
      database.write((tx) => tx.updateTable('webhook_endpoints').set({ status, due_at: null }).execute())
    const one = () => database.write((tx) => redeliver(tx, clock, name, 1))
    const all = () => database.write((tx) => redeliverFailed(tx, clock, name, new Date(0)))
    await setStatus('disabled')
    const errors = { status: ['The status is disabled: set it to active first.'] }
    for (const ask of [one, all]) await expect(ask()).rejects.toMatchObject({ details: { errors } })
    expect(await deliveryOf(database, 1)).toMatchObject({ status: 'failed' })
    await setStatus('paused')
    expect(await one()).toMatchObject({ status: 'waiting' })
    expect(await rowOf(database)).toMatchObject({ due_at: null, wakes: 0 })
  })

  test('of all failed deliveries includes those since the given time, and no others', async () => {
    const { database, name, clock } = await openFixture(engine)
    const other = await database.write((tx) =>
      createEndpoint(tx, clock, sealer, { accountId: name.accountId, draft, max: 3 }),
    )
    const statuses: DeliveryStatus[] = ['failed', 'failed', 'delivered', 'failed', 'waiting', 'failed']
    const deliveries = statuses.map((status, at) => ({ event: at + 1, status, type: 'watch.updated' }))
    deliveries.push({ event: 7, status: 'failed', type: 'webhook.test' })
    await writeDeliveries(database, name.id, clock, deliveries)
    await copyDeliveries(database, name.id, other.id)
    await database.write((tx) =>
      tx
        .updateTable('webhook_events')
        .set({ created_at: '2026-03-01T11:59:59.999Z' })
        .where('id', '=', 1)
        .execute(),
    )
    const again = () => database.write((tx) => redeliverFailed(tx, clock, name, new Date(start)))
    expect(await again()).toBe(3)
    const rows = await database.reader
      .selectFrom('webhook_deliveries')
      .select(['event_id', 'status', 'next_attempt_at'])
      .where('endpoint_id', '=', name.id)
      .orderBy('event_id')
      .execute()
    expect(rows.map(({ status }) => status)).toEqual([
      'failed',
      'waiting',
      'delivered',
      'waiting',
      'waiting',
      'waiting',
      'failed',
    ])
    expect(
      rows.filter(({ next_attempt_at }) => next_attempt_at === start).map((row) => row.event_id),
    ).toEqual([2, 4, 6])
    expect(await rowOf(database, name.id)).toMatchObject({ due_at: start, wakes: 1 })
    expect(await rowOf(database, other.id)).toMatchObject({ due_at: null, wakes: 0 })
    expect(await again()).toBe(0)
    expect(await rowOf(database, name.id)).toMatchObject({ wakes: 1 })
  })

  test('of more than the maximum per request continues with the next request, oldest first', async () => {
    const { database, name, clock } = await openFixture(engine)
    const drafts = Array.from({ length: redeliveredMax + 5 }, (_, at) => ({
      event: at + 1,
      status: 'failed' as const,
      type: 'watch.updated',
    }))
    await writeDeliveries(database, name.id, clock, drafts)
    const again = () => database.write((tx) => redeliverFailed(tx, clock, name, new Date(start)))
    expect(await again()).toBe(redeliveredMax)
    expect(await deliveryOf(database, redeliveredMax)).toMatchObject({ status: 'waiting' })
    expect(await deliveryOf(database, redeliveredMax + 1)).toMatchObject({ status: 'failed' })
    expect(await again()).toBe(5)
    expect(await again()).toBe(0)
  })
})

function setNext(tx: Tx, eventIds: readonly number[], next_attempt_at: string) {
  return tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at })
    .where('event_id', 'in', eventIds)
    .execute()
}

async function copyDeliveries(database: Database, from: number, to: number): Promise<void> {
  const rows = await database.reader
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('endpoint_id', '=', from)
    .execute()
  await database.write((tx) =>
    tx
      .insertInto('webhook_deliveries')
      .values(rows.map((row) => ({ ...row, endpoint_id: to })))
      .execute(),
  )
}
