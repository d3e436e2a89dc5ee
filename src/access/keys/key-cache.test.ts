// Valid keys are found in the cache, and leave it soon after they are revoked or have expired.
import { describe, expect, test, vi } from 'vitest'
import { createEngine } from '../../../test/databases/engines.ts'
import { openFresh } from '../../../test/databases/open-database.ts'
import { manualClock } from '../../../test/manual-clock.ts'
import { patience } from '../../../test/patience.ts'
import { createAccount } from '../accounts/accounts.ts'
import { generateKey, keyDigest } from './api-key.ts'
import { KeyCache } from './key-cache.ts'
import { createKey } from './keys.ts'

const engine = createEngine()
const start = '2026-03-01T12:00:00.000Z'

async function openCallers() {
  const { database } = await openFresh(engine)
  const clock = manualClock(start)
  /** The digest of the key. */
  const key = await database.write(async (tx) => {
    const accountId = await createAccount(tx, clock, { email: 'a@example.com', name: 'A', plan: 'pro' })
    return keyDigest(await createKey(tx, clock, accountId, 'first'))
  })
  const change = (set: { revoked_at?: string; expires_at?: string }) =>
    database.write(async (tx) => void (await tx.updateTable('api_keys').set(set).execute()))
  const moveBy = (ms: number) => clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
  return {
    callers: new KeyCache(database, clock),
    reader: database.reader,
    clock,
    key,
    change,
    moveBy,
  }
}

describe('a good key', () => {
  test('is cached after one lookup, and then found without a query', async () => {
    const { callers, key } = await openCallers()
    expect(callers.findCached(key)).toBeUndefined()
    const caller = await callers.find(key)
    expect(caller).toMatchObject({ plan: 'pro' })
    expect(callers.findCached(key)?.caller).toEqual(caller)
  })

  test('is looked up once for all concurrent callers', async () => {
    const { callers, key } = await openCallers()
    const [one, other] = [callers.find(key), callers.find(key)]
    expect(one).toBe(other)
    expect(await one).toMatchObject({ plan: 'pro' })
    expect(callers.find(key)).not.toBe(one)
  })

  test('that is in use is refreshed before it expires, so that no request waits', async () => {
    const { callers, key, moveBy } = await openCallers()
    await callers.find(key)
    for (let time = 0; time < 5; time++) {
      moveBy(400)
      expect(callers.findCached(key)?.caller).toMatchObject({ plan: 'pro' })
      // Waits for the lookup that `findCached` started in the background.
      await callers.find(key)
    }
  })

  test('is cached for no longer than half a second after its lookup', async () => {
    const { callers, clock, key, moveBy } = await openCallers()
    await callers.find(key)
    for (const ageMs of [0, 100, 200, 99, 100]) {
      moveBy(ageMs)
      const untilMs = callers.findCached(key)?.untilMs ?? Number.NaN
      expect(untilMs).toBeGreaterThan(clock.nowMs())
      expect(untilMs).toBeLessThanOrEqual(Date.parse(start) + 500)
      expect([callers.isBefore(untilMs), callers.isBefore(clock.nowMs())]).toEqual([true, false])
    }
  })
})

describe('an account that is forgotten', () => {
  test('is looked up again by the next request, even if its keys are cached or being looked up', async () => {
    const { callers, key, change } = await openCallers()
    const caller = await callers.find(key)
    const untilMs = callers.findCached(key)?.untilMs ?? Number.NaN
    expect(callers.isBefore(untilMs)).toBe(true)
    const underWay = callers.find(key)
    await change({ revoked_at: start })
    callers.forget(caller?.accountId ?? '')
    expect([callers.isBefore(untilMs), callers.findCached(key)]).toEqual([false, undefined])
    await underWay
    expect(callers.findCached(key)).toBeUndefined()
    expect(await callers.find(key)).toBeUndefined()
  })
})

describe('a key that is revoked', () => {
  test('is no longer cached half a second later', async () => {
    const { callers, key, change, moveBy } = await openCallers()
    await callers.find(key)
    await change({ revoked_at: start })
    moveBy(500)
    expect(callers.findCached(key)).toBeUndefined()
    expect(await callers.find(key)).toBeUndefined()
    expect(callers.findCached(key)).toBeUndefined()
  })

  test('is dropped from the cache as soon as a background lookup returns', async () => {
    const { callers, key, change, moveBy } = await openCallers()
    await callers.find(key)
    await change({ revoked_at: start })
    moveBy(300)
    expect(callers.findCached(key)).toBeDefined()
    await vi.waitFor(() => expect(callers.findCached(key)).toBeUndefined(), patience)
  })

  test('during its lookup is cached from the start of the lookup, not from its end', async () => {
    const { callers, key, moveBy } = await openCallers()
    const asking = callers.find(key)
    moveBy(500)
    expect(await asking).toBeDefined()
    expect(callers.findCached(key)).toBeUndefined()
  })
})

describe('never cached is', () => {
  test('a key that nobody has', async () => {
    const { callers } = await openCallers()
    const key = keyDigest(generateKey())
    expect(await callers.find(key)).toBeUndefined()
    expect(callers.findCached(key)).toBeUndefined()
  })

  test('a key that has expired', async () => {
    const { callers, key, change } = await openCallers()
    await change({ expires_at: start })
    expect(await callers.find(key)).toBeUndefined()
    expect(callers.findCached(key)).toBeUndefined()
  })
})

test('a lookup that fails does not affect the next one', async () => {
  const { database } = await openFresh(engine)
  const callers = new KeyCache(database, manualClock())
  const key = keyDigest(generateKey())
  await database.write(
    async (tx) => void (await tx.schema.alterTable('api_keys').renameTo('elsewhere').execute()),
  )
  await expect(callers.find(key)).rejects.toThrow()
  await database.write(
    async (tx) => void (await tx.schema.alterTable('elsewhere').renameTo('api_keys').execute()),
  )
  expect(await callers.find(key)).toBeUndefined()
})

describe('while the database is away', () => {
  const lost = () => Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })

  async function openBreakable() {
    const opened = await openCallers()
    const state = { isAway: false }
    const reader = new Proxy(opened.reader, {
      get(target, name) {
        if (name !== 'getExecutor') return Reflect.get(target, name)
        if (state.isAway) throw lost()
        return Reflect.get(target, name).bind(target)
      },
    })
    return { ...opened, state, callers: new KeyCache({ reader, engine: 'sqlite' }, opened.clock) }
  }

  test('a key that was valid stays valid for a minute, but not longer, and an unknown one gets an error', async () => {
    const { callers, key, moveBy, state } = await openBreakable()
    const caller = await callers.find(key)
    state.isAway = true
    moveBy(10_000)
    expect(await callers.find(key)).toEqual(caller)
    // From now on without waiting.
    expect(callers.findCached(key)?.caller).toEqual(caller)
    await expect(callers.find(keyDigest(generateKey()))).rejects.toThrow('gone')
    moveBy(50_000)
    expect(callers.findCached(key)).toBeUndefined()
    await expect(callers.find(key)).rejects.toThrow('gone')
  })

  test('a key still expires, and is looked up again as soon as the database is back', async () => {
    const { callers, key, change, moveBy, state } = await openBreakable()
    await change({ expires_at: new Date(Date.parse(start) + 20_000).toISOString() })
    await callers.find(key)
    state.isAway = true
    moveBy(19_999)
    expect(await callers.find(key)).toBeDefined()
    moveBy(1)
    await expect(callers.find(key)).rejects.toThrow('gone')
    state.isAway = false
    expect(await callers.find(key)).toBeUndefined()
    expect(callers.findCached(key)).toBeUndefined()
  })
})
