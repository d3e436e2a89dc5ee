// Guarantees about the daily quota while Redis fails: it stays exact, whichever Redis each process reaches, and counting
// goes on.
import { createClient } from 'redis'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import type { Counter, Taken } from '../../src/storage/counter/counter.ts'
import { openCounter } from '../../src/storage/counter/open-counter.ts'
import { createEngine, describeWithPostgres } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { patience } from '../patience.ts'
import type { StartedProgram } from '../programs/program.ts'
import { startRedis } from '../programs/redis.ts'

const day = '2026-03-01'
const limit = 200

describeWithPostgres('a quota that is counted in Redis', (url) => {
  const redis: StartedProgram[] = []
  beforeAll(async () => {
    for (const program of await Promise.all([startRedis(), startRedis()])) {
      if (!program.available) throw new Error(program.reason)
      redis.push(program)
    }
  })
  afterAll(async () => void (await Promise.all(redis.map((one) => one.stop()))))
  const addressOf = (at: number) => redis[at]?.address ?? ''

  /** Opens a counter for each Redis, each with its own connections, as processes on one database would. */
  async function openProcesses(addresses: readonly string[]) {
    const engine = createEngine(url)
    const { config } = await openFresh(engine)
    return Promise.all(
      addresses.map(async (redisUrl) => {
        const settings = { ...config, redisUrl }
        const database = await openUnmigrated(settings)
        const places: string[] = []
        const log = openLog(parseConfig({ LOG_LEVEL: 'silent' }))
        const onMoved = (place: string) => void places.push(place)
        const counter = await openCounter({ config: settings, database, log, onMoved })
        onTestFinished(() => counter.close())
        return { counter, places }
      }),
    )
  }

  test('is exact for processes that reach two different servers', async () => {
    const processes = await openProcesses([addressOf(0), addressOf(1), addressOf(0)])
    const taken = await Promise.all(processes.map(({ counter }) => takeMany(counter, 'split', 120)))
    expect(granted(taken.flat())).toEqual(numbersTo(limit))
    expect(processes.map(({ places }) => places.at(-1))).toEqual(['database', 'database', 'database'])
  })

  describe.each([
    ['is full', ['CONFIG', 'SET', 'maxmemory', '1'], ['CONFIG', 'SET', 'maxmemory', '0']],
    ['is read-only', ['REPLICAOF', '127.0.0.1', '1'], ['REPLICAOF', 'NO', 'ONE']],
    ['has lost its data', ['FLUSHALL'], ['PING']],
    ['has lost its scripts', ['SCRIPT', 'FLUSH'], ['PING']],
  ])('while a server %s', (what, breaking, mending) => {
    test('is exact, and is counted in Redis again afterwards', async () => {
      const processes = await openProcesses([addressOf(0), addressOf(0)])
      await vi.waitFor(() => {
        for (const { places } of processes) expect(places.at(-1)).toBe('redis')
      }, patience)
      const counters = processes.map(({ counter }) => counter)
      const early = await Promise.all(counters.map((one) => takeMany(one, what, 40)))
      const during = counters.map((one) => takeMany(one, what, 30))
      await command(addressOf(0), breaking)
      const late = counters.map((one) => takeMany(one, what, 40))
      const taken = [...early, ...(await Promise.all([...during, ...late]))]
      await command(addressOf(0), mending)
      const rest = await Promise.all(counters.map((one) => takeMany(one, what, limit)))
      expect(granted([...taken, ...rest].flat())).toEqual(numbersTo(limit))
      await vi.waitFor(() => {
        for (const { places } of processes) expect(places.at(-1)).toBe('redis')
      }, patience)
    })
  })
})

async function takeMany(counter: Counter, subject: string, count: number): Promise<Taken[]> {
  return Promise.all(Array.from({ length: count }, () => counter.take(subject, day, limit)))
}

function granted(taken: readonly Taken[]): number[] {
  return taken
    .filter(({ isGranted }) => isGranted)
    .map(({ used }) => used)
    .sort((one, other) => one - other)
}

function numbersTo(count: number): number[] {
  return Array.from({ length: count }, (_, at) => at + 1)
}

async function command(url: string, words: readonly string[]): Promise<void> {
  const client = createClient({ url })
  await client.connect()
  try {
    await client.sendCommand([...words])
  } finally {
    client.destroy()
  }
}
