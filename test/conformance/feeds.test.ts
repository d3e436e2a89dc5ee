// Tests that feeds are imported when they are due, and that operators are told of failures.
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { addFeed, listFeeds } from '../../src/feeds/feeds.ts'
import { runDueFeeds } from '../../src/feeds/run-due-feeds.ts'
import { openLog } from '../../src/log.ts'
import type { EmailMessage } from '../../src/mail/mail.ts'
import type { Database } from '../../src/storage/database.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { compileCache } from '../compile-cache.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { isNightly } from '../depth.ts'
import { openReceiver } from '../webhooks/receivers.ts'

describeEachEngine('a feed', (engine) => {
  test('is imported when it is due, if its file has changed, and operators are told once that it fails', async () => {
    const settings = {
      ...(await engine.settings('migrated')),
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
      LOG_LEVEL: 'silent',
    }
    const config = parseConfig(settings)
    const database = await openUnmigrated(config)
    await addOperator(database)
    let answer: RequestListener = () => {}
    const { url } = await openReceiver((request, response) => answer(request, response))
    const file: RequestListener = (request, response) => {
      const isSame = request.headers['if-none-match'] === '"1"'
      response.writeHead(isSame ? 304 : 200, { etag: '"1"' })
      response.end(isSame ? undefined : 'Marke,Nummer,price\nRolex,1,100\n')
    }
    const sent: EmailMessage[] = []
    const run = async (now: RequestListener) => {
      answer = now
      await database.write((tx) =>
        tx.updateTable('feeds').set({ due_at: '2026-01-01T00:00:00.000Z' }).execute(),
      )
      const mail = { send: async (message: EmailMessage) => void sent.push(message) }
      const environment = { PATH: process.env.PATH, ...compileCache, ...settings }
      const parts = { database, clock: systemClock, log: openLog(config), mail, environment }
      await runDueFeeds(parts, new AbortController().signal)
      const [feed] = await listFeeds(database.reader)
      return feed
    }
    const mapping = '{"columns":{"Nummer":"reference_number"}}'
    const options = { mapping, rate: [], source: 'dealer', maxErrors: 10, currency: 'USD' }
    await addFeed(database, systemClock, {
      kind: 'watches',
      url,
      every_minutes: 60,
      options,
      who: 'operator',
    })

    expect(await run(file)).toMatchObject({ result: 'done', run_id: 1, failures: 0, etag: '"1"' })
    const { watches } = await catalogueRows(database)
    expect(watches).toMatchObject([{ reference_number: '1', current_market_price: 100 }])
    // Each import starts a process. The rest is the same with both engines: by day, one is enough.
    if (engine.name === 'postgres' && !isNightly) return
    const broken: RequestListener = (_, response) => void response.writeHead(500).end()
    expect(await run(broken)).toMatchObject({ result: 'failed', failures: 1, etag: '"1"' })
    expect(await run(broken)).toMatchObject({ result: 'failed', failures: 2 })
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'operator@example.com', subject: 'Feed 1 failed' })
    expect(sent[0]?.text).toContain('It answers with the status 500.')
    expect(await run(file)).toMatchObject({ result: 'unchanged', failures: 0, told_at: null })
    expect((await catalogueRows(database)).watches).toEqual(watches)
  })
})

async function addOperator(database: Database): Promise<void> {
  await database.write((tx) =>
    createAccount(tx, systemClock, {
      email: 'operator@example.com',
      name: 'Operator',
      plan: 'free',
      role: 'operator',
    }),
  )
}
