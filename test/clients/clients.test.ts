// Tests that generated clients are right: they are generated from the document that the server sends, compiled strictly,
// and called; each result has to be what a plain request in the documented spelling gets.
import { describe, expect, test } from 'vitest'
import type { Answer } from '../../src/http/contract/schemas.ts'
import { type PlanServer, startPlanServer } from '../api/plan-server.ts'
import { receiverUrl } from '../api/webhook-server.ts'
import { createEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { clientNames, generateClients } from './generators.ts'
import type { Calls } from './project/calls.ts'
import { openToolbox } from './toolbox.ts'

type ListCall = 'list' | 'filter' | 'range' | 'values' | 'prices' | 'ids' | 'facets'

/** The request that each call has to be equal to. */
const lists: Record<ListCall, string> = {
  list: '/watches',
  filter: '/watches?spec[dial_color]=Black',
  range: '/watches?spec[water_resistance][gte]=100%20m&spec[case_diameter][lt]=42&per_page=10',
  values: '/watches?spec[dial_color][]=Black&spec[dial_color][]=Blue',
  prices: '/watches?retail_price_usd[gte]=5000&retail_price_usd[lt]=10000&sort=-retail_price_usd',
  ids: '/watches?ids=1,2,3',
  facets: '/watches?facets=dial_color,brand&brand=Omega&explain=1',
}

const toolbox = await openToolbox(import.meta.dirname)
if (!toolbox.available) process.stderr.write(`SKIPPED: generated clients — ${toolbox.reason}\n`)
const why = toolbox.available ? '' : `, skipped: ${toolbox.reason}`

describe.skipIf(!toolbox.available)(`generated clients${why}`, () => {
  const engine = createEngine()
  const server = share(() =>
    startPlanServer(engine, { WEBHOOK_ALLOW_CIDR: '127.0.0.0/8', LOG_LEVEL: 'silent' }),
  )
  const clients = share(async () => {
    const { baseUrl } = server()
    const document = await fetch(`${baseUrl}/openapi.json`)
    return generateClients(await document.text(), baseUrl, toolbox.available ? toolbox.modules : '')
  })

  describe.each(clientNames)('%s', (name) => {
    const call = (): Calls => {
      const { baseUrl, keys } = server()
      const connect = clients().get(name)
      if (connect === undefined) throw new Error(`${name} was not generated`)
      return connect(baseUrl, keys.platinum)
    }

    test.each(Object.keys(lists) as ListCall[])('gets the list of watches by %s', async (form) => {
      const expected = await ask<Answer<'WatchList'>>(server(), lists[form])
      const all = await ask<Answer<'WatchList'>>(server(), '/watches')
      expect(expected.meta.total).toBeGreaterThan(0)
      if (form !== 'list') expect(expected.meta.total).toBeLessThan(all.meta.total)
      expect(await call()[form]()).toEqual(expected)
    })

    test('gets only the fields that it asks for', async () => {
      const expected = await ask<Answer<'PickedWatchList'>>(server(), '/watches?fields=id,specs.dial_color')
      expect(Object.keys(expected.data[0] ?? {})).toEqual(['id', 'specs'])
      expect(await call().fields()).toEqual(expected)
    })

    test('gets changes of some types', async () => {
      const request = '/changes?types=watch.created,brand.created&limit=20'
      const expected = await ask<Answer<'ChangeList'>>(server(), request)
      expect(expected.data).toHaveLength(20)
      expect(await call().changes()).toEqual(expected)
    })

    test('resolves a title', async () => {
      const body = JSON.stringify({ texts: ['Rolex 116610LV'] })
      const headers = { 'content-type': 'application/json' }
      expect(await call().resolve()).toEqual(
        await ask(server(), '/resolve', { method: 'POST', body, headers }),
      )
    })

    test('gets the export as it is, line by line', async () => {
      const expected = await (await server().ask('platinum', '/export')).text()
      const { meta } = await ask<Answer<'WatchList'>>(server(), '/watches')
      expect(expected.trimEnd().split('\n')).toHaveLength(meta.total)
      expect(await call().exported()).toBe(expected)
    })

    test('gets the errors of an invalid parameter by field', async () => {
      expect(await call().refusal()).toEqual(await ask(server(), '/brands?page=0'))
    })

    test('creates, reads, changes, tests and deletes a webhook', async () => {
      const { webhooks } = call()
      const { data: created } = await webhooks.create(receiverUrl, `once-${name}`)
      expect(created).toMatchObject({ endpoint_url: receiverUrl, events: ['watch.created'] })
      expect(await webhooks.create(receiverUrl, `once-${name}`)).toEqual({ data: created })
      const { secret, ...webhook } = created
      expect(await webhooks.get(created.id)).toEqual({ data: webhook })
      expect((await webhooks.list()).data).toContainEqual(webhook)
      expect(await webhooks.pause(created.id)).toMatchObject({ data: { id: created.id, status: 'paused' } })
      expect(await webhooks.test(created.id)).toMatchObject({ data: { event: { type: 'webhook.test' } } })
      const rotated = await webhooks.rotateSecret(created.id)
      expect(rotated.data.secret).toMatch(/^whsec_/)
      expect(rotated.data.secret).not.toBe(secret)
      expect(await webhooks.delete(created.id)).toBe(204)
      expect((await server().ask('platinum', `/webhooks/${created.id}`)).status).toBe(404)
    })
  })
})

async function ask<T>(server: PlanServer, request: string, options: RequestInit = {}): Promise<T> {
  return (await (await server.ask('platinum', request, options)).json()) as T
}
