// Tests that after any failures, however long, a receiver has every event, those of one watch in order, and the chain
// of sequences has no gap.
import fc from 'fast-check'
import { CompiledQuery } from 'kysely'
import { expect, test } from 'vitest'
import { createEngine, describeEachEngine, describeWithPostgres } from '../databases/engines.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'

const watchesCount = 3
const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

type Step =
  | { readonly kind: 'price' | 'refuse' | 'accept'; readonly watch: number }
  | { readonly kind: 'down' | 'up' | 'pause' | 'activate' | 'send' }
  | { readonly kind: 'pass'; readonly ms: number }

const watch = fc.nat(watchesCount - 1)
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant('price' as const), watch }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('refuse' as const, 'accept' as const), watch }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constantFrom(...(['down', 'up', 'pause', 'activate', 'send'] as const)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pass' as const),
      ms: fc.constantFrom(1_000, 6_000, 6 * minuteMs, hourMs, 7 * hourMs),
    }),
  },
)

describeEachEngine('webhook order', (engine) => {
  test('random failures lose no event and never reorder the events of a watch', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const fixture = await openWebhookFixture(engine)
        const ids = await fixture.createWatches(watchesCount)
        const { id } = await fixture.createWebhook()
        await play(fixture, steps, ids, id)
        fixture.receiver.answer = () => 200
        await fixture.changeWebhook(id, { status: 'active' })
        // Longer than the longest retry delay.
        for (let day = 0; day < 3; day++) await fixture.pass(dayMs)
        await checkAll(fixture, ids)
      }),
      { numRuns: engine.name === 'sqlite' ? 30 : 8, seed: 20260301 },
    )
  })
})

describeWithPostgres('webhooks after a failover', (url) => {
  test('that lost events get the new ones, though a sender still has the lost ones in memory', async () => {
    const fixture = await openWebhookFixture(createEngine(url))
    const [lost = 0, next = 0] = await fixture.createWatches(2)
    await fixture.createWebhook()
    const restore = await keepState(fixture)
    await fixture.setPrice(lost, 1)
    await fixture.sender.deliverDue()
    await restore()
    await fixture.setPrice(next, 2)
    await fixture.sender.deliverDue()
    expect(fixture.receiver.taken().map(({ body }) => body.data.watch_id)).toEqual([lost, next])
  })
})

/** Returns a function that makes the database as it is now, as a replica is that never got what follows. */
async function keepState({ database }: WebhookFixture): Promise<() => Promise<void>> {
  const identity = `pg_get_serial_sequence('webhook_events', 'id')`
  const read = <Row>(query: string) => database.reader.executeQuery<Row>(CompiledQuery.raw(query))
  const { rows } = await read<Record<'head' | 'fanned' | 'last' | 'next', number>>(
    `select (select value from sequence) as head, (select sequence from webhook_fan_out) as fanned,
      (select last_sequence from webhook_endpoints) as last, nextval(${identity}) as next`,
  )
  const { head = 0, fanned = 0, last = 0, next = 0 } = rows[0] ?? {}
  return () =>
    database.write(async (tx) => {
      for (const statement of [
        `delete from changes where sequence > ${head}`,
        `update sequence set value = ${head}`,
        `update webhook_fan_out set sequence = ${fanned}`,
        `update webhook_endpoints set last_sequence = ${last}`,
        'delete from webhook_attempts',
        'delete from webhook_deliveries',
        'delete from webhook_events',
        `select setval(${identity}, ${next})`,
      ]) {
        await tx.executeQuery(CompiledQuery.raw(statement))
      }
    })
}

async function play(fixture: WebhookFixture, steps: readonly Step[], ids: readonly number[], id: number) {
  const refused = new Set<number>()
  let isDown = false
  let price = 0
  fixture.receiver.answer = ({ data }) => (isDown || refused.has(data.watch_id ?? 0) ? 500 : 200)
  for (const one of steps) {
    const watchId = 'watch' in one ? (ids[one.watch] as number) : 0
    if (one.kind === 'price') await fixture.setPrice(watchId, ++price)
    else if (one.kind === 'refuse') refused.add(watchId)
    else if (one.kind === 'accept') refused.delete(watchId)
    else if (one.kind === 'down') isDown = true
    else if (one.kind === 'up') isDown = false
    else if (one.kind === 'pass') await fixture.pass(one.ms)
    else if (one.kind === 'send') await fixture.sender.deliverDue()
    else await fixture.changeWebhook(id, { status: one.kind === 'pause' ? 'paused' : 'active' })
  }
}

async function checkAll(fixture: WebhookFixture, ids: readonly number[]): Promise<void> {
  const taken = fixture.receiver.taken().map(({ body }) => body.data)
  const sequences = taken.map(({ sequence }) => sequence as number)
  const recorded = (await fixture.deliveries()).length
  expect(new Set(sequences).size, 'all of them').toBe(recorded)
  expect(sequences, 'each once').toHaveLength(recorded)
  for (const id of ids) {
    const ofWatch = taken.filter(({ watch_id }) => watch_id === id).map(({ sequence }) => sequence as number)
    expect(ofWatch, `watch ${id}`).toEqual(ofWatch.toSorted((one, other) => one - other))
  }
  const sorted = taken.toSorted((one, other) => (one.sequence ?? 0) - (other.sequence ?? 0))
  sorted.slice(1).forEach(({ previous_sequence }, at) => {
    expect(previous_sequence).toBe(sorted[at]?.sequence)
  })
}
