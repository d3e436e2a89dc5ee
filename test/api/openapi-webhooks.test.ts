// Tests that webhook deliveries match the OpenAPI document: every posted event is validated against its schema, and
// every header is present.
import { expect, test } from 'vitest'
import { createBrand, readBrands } from '../../src/catalogue/brands.ts'
import { mergeBrands } from '../../src/catalogue/edit/merge-brands.ts'
import { undoRun } from '../../src/catalogue/runs/undo-run.ts'
import { recordChanges } from '../../src/changes/log.ts'
import { sendTest } from '../../src/webhooks/deliveries/redeliver.ts'
import { eventTypes, testEvent } from '../../src/webhooks/event-types.ts'
import { importFiles } from '../catalogue/import-files.ts'
import { createEngine } from '../databases/engines.ts'
import { openWebhookFixture, type WebhookFixture } from '../webhooks/webhook-fixture.ts'
import { document, expectValid } from './openapi-document.ts'

const everyType = [...eventTypes, testEvent]

test('every posted event is documented, and matches its documentation', async () => {
  expect(Object.keys(document.webhooks)).toEqual(everyType)
  const fixture = await openWebhookFixture(createEngine())
  const { accountId, clock, database, receiver } = fixture
  const { id } = await fixture.createWebhook()
  const [watch = 0] = await fixture.createWatches(1, { dial_color: 'Black' })
  await fixture.setSpecs(watch, { dial_color: ['Blue', 7, null] })
  await fixture.setPrice(watch, 100)
  await fixture.deleteWatch(watch)
  await mergeAnother(fixture)
  await importAndUndo(fixture)
  await database.write((tx) => sendTest(tx, clock, { accountId, id }))
  await fixture.sender.deliverDue()
  await fixture.sender.deliverDue()

  const received = receiver.taken()
  expect(new Set(received.map(({ body }) => body.type))).toEqual(new Set(everyType))
  for (const { body, headers } of received) {
    const { parameters, requestBody } = document.webhooks[body.type]?.post ?? {}
    expectValid(requestBody?.content['application/json']?.schema, body, body.type)
    const missing = parameters?.filter(({ name }) => headers[name] === undefined)
    expect([body.type, missing]).toEqual([body.type, []])
  }
  const dataOf = (type: string) => received.find(({ body }) => body.type === type)?.body.data
  expect(dataOf('watch.deleted')).toMatchObject({
    watch: null,
    deleted: { brand: 'Rolex', collection: 'Submariner', reference_number: 'R0' },
  })
  expect(dataOf('brand.updated')).toMatchObject({ merged: [{ name: 'Tudor' }] })
})

/** An undo deletes the brand that only the undone import used. */
async function importAndUndo({ clock, database }: WebhookFixture): Promise<void> {
  const { run = 0 } = await importFiles({ database, clock }, { 'a.csv': 'brand,reference\nOmega,1\n' })
  const parts = { database, clock, signal: new AbortController().signal, who: 'operator' }
  await undoRun(parts, run, { isDryRun: false, onProgress: () => {} })
}

async function mergeAnother({ clock, database }: WebhookFixture): Promise<void> {
  const draft = {
    name: 'Tudor',
    slug: 'tudor',
    aliases: [],
    country: null,
    founded_year: 1926,
    website: null,
  }
  await recordChanges(database, clock, (tx, record) => createBrand(tx, clock, record, draft))
  const [into, ...from] = await readBrands(database.reader)
  if (into === undefined) throw new Error('there is no brand')
  await mergeBrands(
    { database, clock, isDryRun: false, signal: new AbortController().signal, onProgress: () => {} },
    { from, into },
  )
}
