// Tests that feeds are imported when they are due, that none blocks the others, and that operators are told of failures.
import type { RequestListener } from 'node:http'
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { provideSecret } from '../../src/access/sign-in/session-secret.ts'
import { systemClock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { addFeed, listFeeds } from '../../src/feeds/feeds.ts'
import { type FeedParts, runDueFeeds } from '../../src/feeds/run-due-feeds.ts'
import { openLog } from '../../src/log.ts'
import type { EmailMessage } from '../../src/mail/mail.ts'
import { createSealer } from '../../src/seal.ts'
import type { Database } from '../../src/storage/database.ts'
import { JobRunner } from '../../src/storage/jobs.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { compileCache } from '../compile-cache.ts'
import { createEngine, describeEachEngine, type Engine } from '../databases/engines.ts'
import { openUnmigrated } from '../databases/open-database.ts'
import { isNightly } from '../depth.ts'
import { openReceiver } from '../webhooks/receivers.ts'

const dueAt = '2026-01-01T00:00:00.000Z'
const whole: RequestListener = (request, response) => {
  const isSame = request.headers['if-none-match'] === '"1"'
  response.writeHead(isSame ? 304 : 200, { etag: '"1"' })
  response.end(isSame ? undefined : 'Marke,Nummer,price\nRolex,1,100\n')
}
const unread: RequestListener = (_, response) =>
  void response.writeHead(200, { etag: '"2"' }).end('Marke,Nummer,price\nRolex,2,EUR 100\n')
const broken: RequestListener = (_, response) => void response.writeHead(500).end()

describeEachEngine('a feed', (engine) => {
  test('is imported when it is due, if its file has changed, and operators are told once that it fails', async () => {
    const { database, url, sent, parts, add, makeDue, answerWith } = await open(engine)
    await addOperator(database, 'other@example.com')
    const run = async (now: RequestListener) => {
      answerWith(now)
      await makeDue()
      await runDueFeeds(parts, new AbortController().signal)
      const [feed] = await listFeeds(database.reader)
      return feed
    }
    await add(url)

    expect(await run(whole)).toMatchObject({ result: 'done', run_id: 1, failures: 0, etag: '"1"' })
    const { watches } = await catalogueRows(database)
    expect(watches).toMatchObject([{ reference_number: '1', current_market_price: 100 }])
    // Each import starts a process. The rest is the same with both engines: by day, one is enough.
    if (engine.name === 'postgres' && !isNightly) return
    expect(await run(broken)).toMatchObject({ result: 'failed', failures: 1, etag: '"1"' })
    expect(await run(broken)).toMatchObject({ result: 'failed', failures: 2 })
    // The mail to other@example.com fails. That alone must not tell the operator again.
    expect(sent).toHaveLength(1)
    expect(sent[0]).toMatchObject({ to: 'operator@example.com', subject: 'Feed 1 failed' })
    expect(sent[0]?.text).toContain('failed. Nothing of it was written.')
    expect(sent[0]?.text).toContain('It answers with the status 500.')
    expect(await run(whole)).toMatchObject({ result: 'unchanged', failures: 0, told_at: null })
    expect((await catalogueRows(database)).watches).toEqual(watches)

    expect(await run(unread)).toMatchObject({ result: 'faulty', run_id: 2, failures: 1, etag: null })
    expect(sent).toHaveLength(2)
    expect(sent[1]?.subject).toBe('Feed 1 was imported, with faults')
    expect(sent[1]?.text).not.toContain('Nothing of it was written')
    expect(sent[1]?.text).toContain('Most often: price: is EUR: say --rate EUR=…')
    expect(sent[1]?.text).toContain('`watchdata imports undo 2` takes back what was imported.')
    expect((await catalogueRows(database)).watches).toHaveLength(2)
  })
})

const sqlite = createEngine()

test('a feed that takes too long has failed, and the next run begins with another', async () => {
  const { database, url, sent, parts, add, makeDue } = await open(sqlite)
  const [first, second] = [await add(url), await add(url)]
  await makeDue()
  const slow = { ...parts, limits: { importMaxMs: 1, beginMaxMs: 0 } }
  const results = async () => (await listFeeds(database.reader)).map(({ id, result }) => [id, result])
  await runDueFeeds(slow, new AbortController().signal)
  expect(await results()).toEqual([
    [first, 'failed'],
    [second, null],
  ])
  expect(sent[0]?.text).toContain('The import took longer than 1 minute, and was stopped')
  await runDueFeeds(slow, new AbortController().signal)
  expect(await results()).toEqual([
    [first, 'failed'],
    [second, 'failed'],
  ])
})

test('an import goes on while its process has lost the job, and no other process begins it again', async () => {
  const { database, url, parts, add, makeDue, answerWith } = await open(sqlite)
  await add(url)
  await makeDue()
  const losing = new AbortController()
  let requests = 0
  answerWith(async (request, response) => {
    requests++
    losing.abort()
    await runDueFeeds(parts, new AbortController().signal)
    whole(request, response)
  })
  await runDueFeeds(parts, losing.signal)
  expect(requests).toBe(1)
  expect(await listFeeds(database.reader)).toMatchObject([{ result: 'done' }])
})

test('an import ends with the service, and its feed is due again at once', async () => {
  const { database, url, parts, add, makeDue, answerWith } = await open(sqlite)
  await add(url)
  await makeDue()
  const asked = Promise.withResolvers<void>()
  answerWith(() => asked.resolve())
  const run = (signal: AbortSignal) => runDueFeeds(parts, signal)
  const runner = new JobRunner(parts, [{ name: 'import feeds', everyMs: 1_000, run }])
  await runner.look()
  await asked.promise
  await runner.stop()
  // The process of the import may end after the service has.
  await expect.poll(() => listFeeds(database.reader)).toMatchObject([{ result: null, due_at: dueAt }])
})

async function open(engine: Engine) {
  const settings = {
    ...(await engine.settings('migrated')),
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  }
  const config = parseConfig(settings)
  const database = await openUnmigrated(config)
  await addOperator(database, 'operator@example.com')
  const sealer = createSealer(await provideSecret(database, config))
  let answer: RequestListener = () => {}
  const { url } = await openReceiver((request, response) => answer(request, response))
  const sent: EmailMessage[] = []
  const mail = {
    async send(message: EmailMessage) {
      if (message.to === 'other@example.com') throw new Error('this mailbox is full')
      sent.push(message)
    },
  }
  const environment = { PATH: process.env.PATH, ...compileCache, ...settings }
  const parts: FeedParts = { database, clock: systemClock, log: openLog(config), mail, environment }
  const mapping = '{"columns":{"Nummer":"reference_number"}}'
  const options = { mapping, rate: [], source: 'dealer', maxErrors: 10, currency: 'USD' }
  const feed = { kind: 'watches', every_minutes: 60, options, who: 'operator' } as const
  return {
    database,
    url,
    sent,
    parts,
    add: (address: string) => addFeed(database, systemClock, sealer, { ...feed, url: address }),
    makeDue: () => database.write((tx) => tx.updateTable('feeds').set({ due_at: dueAt }).execute()),
    answerWith(now: RequestListener) {
      answer = now
    },
  }
}

async function addOperator(database: Database, email: string): Promise<void> {
  await database.write((tx) =>
    createAccount(tx, systemClock, { email, name: 'Operator', plan: 'free', role: 'operator' }),
  )
}
