// Guarantees about webhooks in the database, on every engine: their maximum number, the effect of a status change,
// which secrets are valid, and the delivery log.
import { expect, test } from 'vitest'
import { recordChanges } from '../../src/changes/log.ts'
import { getDelivery } from '../../src/webhooks/deliveries/deliveries.ts'
import { type DeliveryQuery, listDeliveries } from '../../src/webhooks/deliveries/list-deliveries.ts'
import { sendTest } from '../../src/webhooks/deliveries/redeliver.ts'
import { deleteEndpoint } from '../../src/webhooks/endpoints/delete-endpoint.ts'
import {
  changeEndpoint,
  createEndpoint,
  listEndpoints,
  rotateSecret,
} from '../../src/webhooks/endpoints/endpoints.ts'
import { secretsOf } from '../../src/webhooks/secret.ts'
import type { DeliveryStatus } from '../../src/webhooks/tables.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { deliveryOf, draft, openFixture, rowOf, sealer, start, writeDeliveries } from './endpoint-fixture.ts'

describeEachEngine('webhooks', (engine) => {
  test('created at the same time never exceed the maximum', async () => {
    const { database, accountId, clock } = await openFixture(engine)
    const made = await Promise.allSettled(
      Array.from({ length: 12 }, () =>
        database.write((tx) => createEndpoint(tx, clock, sealer, { accountId, draft, max: 3 })),
      ),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    for (const one of made) if (one.status === 'rejected') expect(one.reason.code).toBe('plan_excludes')
    expect(await listEndpoints(database.reader, accountId)).toHaveLength(3)
  })

  test('that are created, changed or deleted increase the version that senders check', async () => {
    const { database, clock, name } = await openFixture(engine)
    const version = async () =>
      (await database.reader.selectFrom('webhook_fan_out').selectAll().executeTakeFirstOrThrow())
        .endpoints_version
    const first = await version()
    expect(first).toBeGreaterThan(0)
    await database.write((tx) => changeEndpoint(tx, clock, name, { status: 'paused' }))
    const second = await version()
    expect(second).toBeGreaterThan(first)
    await deleteEndpoint(database, name)
    expect(await version()).toBeGreaterThan(second)
  })

  test('start at the end of the change log, and again when they are re-enabled', async () => {
    const { database, clock, name } = await openFixture(engine)
    const set = (status: 'active' | 'paused') =>
      database.write((tx) => changeEndpoint(tx, clock, name, { status }))
    expect((await rowOf(database)).last_sequence).toBe(0)
    const failing = {
      consecutive_failures: 7,
      failing_since: start,
      probe_at: start,
      notice: 'failing',
      status: 'disabled',
      due_at: null,
    } as const
    await database.write((tx) => tx.updateTable('webhook_endpoints').set(failing).execute())
    for (let subjectId = 1; subjectId <= 3; subjectId++) {
      await recordChanges(database, clock, async (_tx, record) =>
        record({ type: 'brand.created', subjectId }),
      )
    }
    await set('active')
    expect(await rowOf(database)).toMatchObject({
      status: 'active',
      last_sequence: 3,
      consecutive_failures: 0,
      failing_since: null,
      probe_at: null,
      notice: null,
      due_at: start,
      wakes: 1,
    })
    await recordChanges(database, clock, async (_tx, record) =>
      record({ type: 'brand.created', subjectId: 4 }),
    )
    await set('paused')
    expect(await rowOf(database)).toMatchObject({ status: 'paused', due_at: null, last_sequence: 3 })
    await set('active')
    // Events were recorded during the pause, so the sequence of the last one stays.
    expect(await rowOf(database)).toMatchObject({ due_at: start, wakes: 2, last_sequence: 3 })
    await set('active')
    expect(await rowOf(database)).toMatchObject({ wakes: 2 })
  })

  test('that are changed to their current values write nothing', async () => {
    const { database, clock, name } = await openFixture(engine)
    const [before] = [await rowOf(database), clock.moveTo('2026-03-01T13:00:00.000Z')]
    const version = () =>
      database.reader.selectFrom('webhook_fan_out').select('endpoints_version').executeTakeFirst()
    const current = await version()
    for (const same of [{}, { status: 'active' }, { ...draft }] as const) {
      await database.write((tx) => changeEndpoint(tx, clock, name, same))
      expect([await rowOf(database), await version()]).toEqual([before, current])
    }
    await expect(
      database.write((tx) => changeEndpoint(tx, clock, { ...name, id: 99 }, {})),
    ).rejects.toMatchObject({ code: 'not_found' })
  })

  test('accept the previous secret for a day, and never more than two secrets', async () => {
    const { database, clock, name, secret } = await openFixture(engine)
    const rotate = () => database.write((tx) => rotateSecret(tx, clock, sealer, name))
    const good = async () => secretsOf(await rowOf(database), sealer, clock.now())
    expect(await good()).toEqual([secret])
    const second = (await rotate()).secret
    expect(await good()).toEqual([second, secret])
    clock.moveTo('2026-03-02T11:59:59.999Z')
    expect(await good()).toEqual([second, secret])
    clock.moveTo('2026-03-02T12:00:00.000Z')
    expect(await good()).toEqual([second])
    const third = (await rotate()).secret
    const fourth = (await rotate()).secret
    expect(await good()).toEqual([fourth, third])
  })

  test('have a delivery log that pages exactly, however long it is', async () => {
    const { database, name, clock } = await openFixture(engine)
    const deliveries = Array.from({ length: 23_456 }, (_, at) => ({
      event: at + 1,
      status: (['delivered', 'failed', 'waiting'] as const)[at % 3] as DeliveryStatus,
      type: at % 5 === 0 ? 'watch.deleted' : 'watch.updated',
    }))
    await writeDeliveries(database, name.id, clock, deliveries)
    const endpoint = await rowOf(database)
    const newest = deliveries.toReversed()
    const asked: DeliveryQuery[] = [
      { page: 1, perPage: 25 },
      { page: 100, perPage: 100 },
      { page: 101, perPage: 100 },
      { page: 235, perPage: 100 },
      { page: 236, perPage: 100 },
      { page: 1_000_000_000, perPage: 100 },
      { page: 70, perPage: 100, status: 'failed' },
      { page: 3, perPage: 33, status: 'waiting', type: 'watch.deleted' },
      { page: 40, perPage: 100, type: 'watch.deleted' },
    ]
    for (const wanted of asked) {
      const { status, type, page, perPage } = wanted
      const matching = newest.filter(
        (one) => (status ?? one.status) === one.status && (type ?? one.type) === one.type,
      )
      const told = await listDeliveries(database.reader, endpoint, wanted)
      expect([wanted, told.total]).toEqual([wanted, matching.length])
      const page1 = matching.slice((page - 1) * perPage, page * perPage)
      expect(told.deliveries.map(({ id }) => id)).toEqual(page1.map(({ event }) => event))
    }
    // The log is deleted with the webhook.
    await deleteEndpoint(database, name)
    expect(await database.reader.selectFrom('webhook_deliveries').selectAll().execute()).toEqual([])
    expect(await database.reader.selectFrom('webhook_endpoints').selectAll().execute()).toEqual([])
  })

  test('show a delivery’s body and every attempt, newest first', async () => {
    const { database, name, clock } = await openFixture(engine)
    await writeDeliveries(database, name.id, clock, [{ event: 5, status: 'failed', type: 'watch.updated' }])
    const attempt = {
      endpoint_id: name.id,
      event_id: 5,
      at: start,
      endpoint_url: 'https://a/',
      duration_ms: 3,
    }
    await database.write((tx) =>
      tx
        .insertInto('webhook_attempts')
        .values(
          [1, 2, 3].map((number) => ({
            ...attempt,
            attempt: number,
            response_status: 500,
            response_body: 'no',
            error: null,
          })),
        )
        .execute(),
    )
    const told = await getDelivery(
      database.reader,
      { ...(await rowOf(database)), endpoint_url: 'https://b/' },
      5,
    )
    expect(told.attempts.map((one) => one.attempt)).toEqual([3, 2, 1])
    expect(told.request).toMatchObject({
      url: 'https://b/',
      headers: { 'webhook-id': 'evt_5', 'content-type': 'application/json' },
      body: `{"type":"watch.updated","timestamp":"${start}","data":{"sequence":5,"previous_sequence":4,"watch_id":1}}`,
    })
  })

  test('can be sent a test event in any status', async () => {
    const { database, name, clock } = await openFixture(engine)
    for (const status of ['active', 'paused', 'disabled'] as const) {
      await database.write((tx) =>
        tx.updateTable('webhook_endpoints').set({ status, due_at: null, wakes: 0 }).execute(),
      )
      const { id } = await database.write((tx) => sendTest(tx, clock, name))
      expect(await rowOf(database)).toMatchObject({ status, due_at: start, wakes: 1 })
      const row = await deliveryOf(database, id)
      expect(row).toMatchObject({ subject: `test:${id}`, status: 'waiting', next_attempt_at: start })
    }
  })
})
