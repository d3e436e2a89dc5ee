// Guarantees of every counter, in memory, in the database or in Redis: a limit is reached exactly, and no count is
// lost.
import { createClient } from 'redis'
import { describe, expect, onTestFinished, test } from 'vitest'
import { Quota } from '../../src/access/plans/quota.ts'
import type { Config } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Counter, Taken } from '../../src/storage/counter/counter.ts'
import { readCount } from '../../src/storage/counter/daily-counts.ts'
import { openCounter } from '../../src/storage/counter/open-counter.ts'
import type { Database } from '../../src/storage/database.ts'
import { createEngine, describeEachEngine, describeWithRedis } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { share } from '../lifetime.ts'
import { manualClock } from '../manual-clock.ts'

const day = '2026-03-01'
const nextDay = '2026-03-02'
let subjects = 0

type Fresh = Awaited<ReturnType<typeof openFresh>>

interface Opened {
  readonly counter: Counter
  readonly database: Database
  readonly config: Config
  readonly subject: string
  /** Opens another counter, as another process would. */
  openAnother(): Promise<Counter>
}

describeEachEngine('a counter', (engine) => {
  const fresh = share(() => openFresh(engine))
  counterSuite(() => open(fresh()))
})

describeWithRedis('a counter in Redis', (url) => {
  describe('[sqlite]', () => {
    const engine = createEngine()
    const fresh = share(() => openFresh(engine))
    counterSuite(() => open(fresh(), url))
    redisSuite(() => open(fresh(), url), url)
  })
})

describeEachEngine('a counter whose Redis is down', (engine) => {
  const fresh = share(() => openFresh(engine))
  // Nothing listens at this address.
  counterSuite(() => open(fresh(), 'redis://127.0.0.1:1'))
})

function counterSuite(openOne: () => Promise<Opened>): void {
  test('grants a limit exactly, however many requests come at once, and each number once', async () => {
    const { counter, subject } = await openOne()
    const taken = await takeMany(counter, subject, 200, 50)
    expect(grantedNumbers(taken)).toEqual(numbersTo(50))
    expect(taken.filter(({ isGranted }) => !isGranted).every(({ used }) => used === 50)).toBe(true)
    expect(await counter.read(subject, day)).toBe(50)
  })

  test('charges a request that counts as several all or none, and never grants more than the limit', async () => {
    const { counter, subject } = await openOne()
    const quota = new Quota(counter, manualClock(), { pro: 50 })
    const charge = (requests: number) => quota.charge({ accountId: subject, plan: 'pro' }, requests)
    expect(await charge(10)).toMatchObject({ used: 10, remaining: 40, isGranted: true })
    expect(await charge(41)).toMatchObject({ used: 10, remaining: 40, isGranted: false })
    expect(await charge(40)).toMatchObject({ used: 50, remaining: 0, isGranted: true })
    expect(await charge(1)).toMatchObject({ used: 50, isGranted: false })
    const other = new Quota(counter, manualClock(), { pro: 50 })
    const charges = Array.from({ length: 20 }, async () =>
      other.charge({ accountId: `${subject}-other`, plan: 'pro' }, 7),
    )
    const granted = (await Promise.all(charges)).filter(({ isGranted }) => isGranted).length
    expect(granted * 7).toBeLessThanOrEqual(50)
  })

  test('takes all that remains at once, tells what was used, and grants nothing more', async () => {
    const { counter, subject, openAnother } = await openOne()
    await takeMany(counter, subject, 3, 50)
    expect(await counter.takeAll(subject, day, 50)).toBe(3)
    expect(await counter.takeAll(subject, day, 50)).toBe(50)
    expect(await counter.take(subject, day, 50)).toEqual({ used: 50, isGranted: false })
    await counter.close()
    expect(await (await openAnother()).read(subject, day)).toBe(50)
  })

  test('counts each subject and each day separately', async () => {
    const { counter, subject } = await openOne()
    expect(grantedNumbers(await takeMany(counter, subject, 5, 3))).toEqual(numbersTo(3))
    expect(grantedNumbers(await takeMany(counter, `${subject}x`, 5, 4))).toEqual(numbersTo(4))
    expect(await counter.take(subject, nextDay, 3)).toEqual({ used: 1, isGranted: true })
    expect(await counter.take(subject, day, 3)).toEqual({ used: 3, isGranted: false })
    expect(await counter.read(subject, nextDay)).toBe(1)
  })

  test('applies the limit of each call: a raised or lowered limit takes effect immediately', async () => {
    const { counter, subject } = await openOne()
    await takeMany(counter, subject, 10, 5)
    expect(grantedNumbers(await takeMany(counter, subject, 10, 8))).toEqual([6, 7, 8])
    expect(await counter.take(subject, day, 2)).toEqual({ used: 8, isGranted: false })
    expect(await counter.take(subject, day, 0)).toEqual({ used: 8, isGranted: false })
  })

  test('reading does not increment', async () => {
    const { counter, subject } = await openOne()
    expect(await counter.read(subject, day)).toBe(0)
    await takeMany(counter, subject, 3, 5)
    expect(await Promise.all([counter.read(subject, day), counter.read(subject, day)])).toEqual([3, 3])
    expect(await counter.take(subject, day, 5)).toEqual({ used: 4, isGranted: true })
  })

  test('stores all counts when closed, and continues from them', async () => {
    const { counter, database, openAnother, subject } = await openOne()
    await takeMany(counter, subject, 30, 100)
    await counter.close()
    expect(await readCount(database, subject, day)).toBe(30)
    const another = await openAnother()
    expect(await another.take(subject, day, 100)).toEqual({ used: 31, isGranted: true })
  })

  test('stores its counts within a moment', async () => {
    const { counter, database, subject } = await openOne()
    await takeMany(counter, subject, 7, 100)
    await expect.poll(() => readCount(database, subject, day)).toBe(7)
  })
}

function redisSuite(openOne: () => Promise<Opened>, url: string): void {
  test('is shared by several processes', async () => {
    const { counter, openAnother, subject } = await openOne()
    const all = [counter, await openAnother(), await openAnother(), await openAnother()]
    const taken = await Promise.all(all.map((one) => takeMany(one, subject, 100, 150)))
    expect(grantedNumbers(taken.flat())).toEqual(numbersTo(150))
  })

  test('that lost its data continues from the database, and grants nothing twice', async () => {
    const { counter, database, openAnother, subject } = await openOne()
    const another = await openAnother()
    await takeMany(counter, subject, 40, 50)
    await expect.poll(() => readCount(database, subject, day)).toBe(40)
    await withClient(url, (client) => client.del(`watchdata:used:{${subject}}:${day}`))
    const taken = await Promise.all([counter, another].map((one) => takeMany(one, subject, 20, 50)))
    expect(grantedNumbers(taken.flat())).toEqual(numbersTo(10).map((number) => number + 40))
  })

  test('that lost its latest writes is corrected by what the process has seen', async () => {
    const { counter, subject } = await openOne()
    await takeMany(counter, subject, 40, 50)
    const key = `watchdata:used:{${subject}}:${day}`
    await withClient(url, async (client) => {
      const [generation] = (await client.get(key))?.split(':') ?? []
      await client.set(key, `${generation}:5`)
    })
    expect(grantedNumbers(await takeMany(counter, subject, 20, 50))).toHaveLength(10)
  })

  test('is abandoned by all processes while one of them cannot reach it, and no number is granted twice', async () => {
    const { counter, database, config, subject } = await openOne()
    const early = takeMany(counter, subject, 10, 100)
    const lost = await openCounter({
      config: { ...config, redisUrl: 'redis://127.0.0.1:1' },
      database,
      log: openLog(config),
    })
    onTestFinished(() => lost.close())
    const late = [counter, lost].map((one) => takeMany(one, subject, 80, 100))
    const taken = await Promise.all([early, ...late])
    expect(grantedNumbers(taken.flat())).toEqual(numbersTo(100))
    expect(await readCount(database, subject, day)).toBe(100)
  })
}

/** Uses a new subject, because the database is shared with other tests. */
async function open(fresh: Fresh, redisUrl?: string): Promise<Opened> {
  const { database } = fresh
  const config = { ...fresh.config, redisUrl }
  const openOn = async (door: Database) => {
    const counter = await openCounter({ config, database: door, log: openLog(config) })
    // Closing twice has no effect; the database is closed afterwards.
    onTestFinished(() => counter.close().catch(() => {}))
    return counter
  }
  return {
    counter: await openOn(database),
    database,
    config,
    subject: `subject-${process.pid}-${subjects++}`,
    openAnother: async () => openOn(await openUnmigrated(config)),
  }
}

async function takeMany(counter: Counter, subject: string, count: number, limit: number): Promise<Taken[]> {
  return Promise.all(Array.from({ length: count }, () => counter.take(subject, day, limit)))
}

function grantedNumbers(taken: readonly Taken[]): number[] {
  return taken
    .filter(({ isGranted }) => isGranted)
    .map(({ used }) => used)
    .sort((a, b) => a - b)
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = makeClient(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    client.destroy()
  }
}

type Client = ReturnType<typeof makeClient>

function makeClient(url: string) {
  return createClient({ url })
}
