// Guarantees about API keys on both engines: a key is shown once, is valid until it ends, stays within the account's
// maximum and is invisible to other accounts.
import { expect, test } from 'vitest'
import { createAccount } from '../../src/access/accounts/accounts.ts'
import { generateKey } from '../../src/access/keys/api-key.ts'
import {
  createKey,
  findCaller,
  issueKey,
  listKeys,
  liveKeysMax,
  noteKeyUse,
  renameKey,
  revokeKey,
  rollKey,
} from '../../src/access/keys/keys.ts'
import type { Database, Tx } from '../../src/storage/database.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const start = '2026-03-01T12:00:00.000Z'
const startMs = Date.parse(start)
const hourMs = 3_600_000
const dayMs = 24 * hourMs

async function openKeys(engine: Engine) {
  const { database, config } = await openFresh(engine)
  const clock = manualClock(start)
  const accountOf = (email: string) =>
    database.write((tx) => createAccount(tx, clock, { email, name: 'A', plan: 'pro' }))
  const [anna, ben] = [await accountOf('anna@example.com'), await accountOf('ben@example.com')]
  const issue = (name = 'first', expiresAt?: Date, on: Database = database) =>
    on.write((tx) => issueKey(tx, clock, anna, { name, expiresAt }))
  return {
    database,
    config,
    clock,
    anna,
    ben,
    issue,
    write: <T>(work: (tx: Tx) => Promise<T>) => database.write(work),
    moveBy: (ms: number) => clock.moveTo(new Date(clock.nowMs() + ms).toISOString()),
    caller: (key: string) => findCaller(database, clock, key),
    keys: () => listKeys(database.reader, clock, anna),
  }
}

const notFound = { code: 'not_found' }
const refused = (field: string, text: RegExp) => ({
  code: 'invalid',
  details: { errors: { [field]: [expect.stringMatching(text)] } },
})
const tooMany = refused('key', /at most 25 keys/)

describeEachEngine('a key', (engine) => {
  test('is returned once; later listings do not contain it', async () => {
    const { issue, keys, caller, anna, database } = await openKeys(engine)
    const { key, ...told } = await issue(' reporting ')
    expect(told).toEqual({
      id: expect.any(String),
      name: 'reporting',
      hint: key.slice(-4),
      created_at: start,
      is_test: false,
      last_used_at: null,
      expires_at: null,
      revoked_at: null,
      status: 'active',
    })
    expect(await keys()).toEqual([told])
    expect(await caller(key)).toEqual({ accountId: anna, keyId: told.id, plan: 'pro', isTest: false })
    const rows = await database.reader.selectFrom('api_keys').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(key)
  })

  test('that is malformed never reaches the database, and an unknown one finds nothing', async () => {
    const { caller, write, issue } = await openKeys(engine)
    const { key } = await issue()
    expect(await caller(generateKey())).toBeUndefined()
    await write(async (tx) => void (await tx.schema.alterTable('api_keys').renameTo('elsewhere').execute()))
    await expect(caller(key)).rejects.toThrow()
    for (const malformed of ['', 'x', `${key} `, key.slice(0, -1), `${key.slice(0, -1)}!`, '\u0000']) {
      expect(await caller(malformed)).toBeUndefined()
    }
  })

  test('is valid until it expires, and shows when', async () => {
    const { issue, keys, caller, moveBy } = await openKeys(engine)
    const { key } = await issue('ci', new Date(startMs + 30 * dayMs))
    const standing = async () => [(await keys())[0]?.status, (await caller(key)) !== undefined]
    expect(await standing()).toEqual(['active', true])
    moveBy(23 * dayMs)
    expect(await standing()).toEqual(['expiring', true])
    moveBy(7 * dayMs - 1)
    expect(await standing()).toEqual(['expiring', true])
    moveBy(1)
    expect(await standing()).toEqual(['expired', false])
  })

  test('must expire in the future, within the allowed range', async () => {
    const { issue, keys } = await openKeys(engine)
    for (const ms of [startMs, startMs - 1, Number.NaN, startMs + 3_651 * dayMs, 8.64e15]) {
      await expect(issue('ci', new Date(ms))).rejects.toMatchObject(refused('expires_at', /within the next/))
    }
    expect(await keys()).toEqual([])
  })

  test('that is revoked is rejected immediately and for ever; a second revocation changes nothing', async () => {
    const { issue, keys, caller, moveBy, write, clock, anna } = await openKeys(engine)
    const { id, key } = await issue()
    const revoke = () => write((tx) => revokeKey(tx, clock, anna, id))
    await revoke()
    expect(await caller(key)).toBeUndefined()
    moveBy(hourMs)
    await revoke()
    expect(await keys()).toMatchObject([{ status: 'revoked', revoked_at: start }])
  })

  test('can be renamed, but not to an empty name or control characters', async () => {
    const { issue, keys, caller, write, clock, anna } = await openKeys(engine)
    const { id, key } = await issue()
    await write((tx) => renameKey(tx, clock, anna, id, ' nightly '))
    for (const name of ['', 'a\u001b[2J']) {
      const renaming = write((tx) => renameKey(tx, clock, anna, id, name))
      await expect(renaming).rejects.toMatchObject(refused('name', /The name/))
    }
    expect(await keys()).toMatchObject([{ name: 'nightly' }])
    expect(await caller(key)).toMatchObject({ keyId: id })
  })

  test('of another account is not found by any operation', async () => {
    const { issue, keys, write, clock, ben, database } = await openKeys(engine)
    const { id } = await issue()
    const before = await keys()
    for (const keyId of [id, 'x', '\u0000', '']) {
      for (const work of [
        (tx: Tx) => renameKey(tx, clock, ben, keyId, 'mine'),
        (tx: Tx) => revokeKey(tx, clock, ben, keyId),
        (tx: Tx) => rollKey(tx, clock, ben, keyId),
      ]) {
        await expect(write<unknown>(work)).rejects.toMatchObject(notFound)
      }
    }
    expect(await keys()).toEqual(before)
    expect(await listKeys(database.reader, clock, ben)).toEqual([])
  })

  test('is only created for an existing account', async () => {
    const { write, clock } = await openKeys(engine)
    await expect(write((tx) => createKey(tx, clock, 'nobody', 'first'))).rejects.toMatchObject(notFound)
  })
})

describeEachEngine('rolling a key', (engine) => {
  test('creates a key of the same name; both are valid during the overlap, then only the new one', async () => {
    const { issue, keys, caller, moveBy, write, clock, anna } = await openKeys(engine)
    const old = await issue('ci')
    moveBy(hourMs)
    const made = await write((tx) => rollKey(tx, clock, anna, old.id))
    expect(made).toMatchObject({ name: 'ci', status: 'active', expires_at: null })
    expect(await keys()).toMatchObject([
      { id: made.id, status: 'active' },
      { id: old.id, status: 'expiring', expires_at: '2026-03-02T13:00:00.000Z' },
    ])
    moveBy(dayMs - 1)
    expect([await caller(old.key), await caller(made.key)]).toMatchObject([
      { keyId: old.id },
      { keyId: made.id },
    ])
    moveBy(1)
    expect([await caller(old.key), await caller(made.key)]).toMatchObject([undefined, { keyId: made.id }])
  })

  test('without an overlap ends the old one immediately', async () => {
    const { issue, caller, write, clock, anna } = await openKeys(engine)
    const old = await issue()
    const made = await write((tx) => rollKey(tx, clock, anna, old.id, 0))
    expect([await caller(old.key), await caller(made.key)]).toMatchObject([undefined, { keyId: made.id }])
  })

  test('never extends the life of the old one', async () => {
    const { issue, keys, write, clock, anna } = await openKeys(engine)
    const { id, expires_at } = await issue('ci', new Date(startMs + hourMs))
    await write((tx) => rollKey(tx, clock, anna, id, dayMs))
    expect(await keys()).toContainEqual(expect.objectContaining({ id, expires_at }))
  })

  test('is rejected for a key that has ended, and for an overlap out of range', async () => {
    const { issue, keys, write, clock, anna, moveBy } = await openKeys(engine)
    const { id } = await issue('ci', new Date(startMs + hourMs))
    for (const overlapMs of [-1, 7 * dayMs + 1, Number.NaN, Number.POSITIVE_INFINITY]) {
      const rolling = write((tx) => rollKey(tx, clock, anna, id, overlapMs))
      await expect(rolling).rejects.toMatchObject(refused('overlap', /between 0 hours and 7 days/))
    }
    moveBy(hourMs)
    await expect(write((tx) => rollKey(tx, clock, anna, id))).rejects.toMatchObject(refused('key', /expired/))
    await write((tx) => revokeKey(tx, clock, anna, id))
    await expect(write((tx) => rollKey(tx, clock, anna, id))).rejects.toMatchObject(refused('key', /revoked/))
    expect(await keys()).toHaveLength(1)
  })
})

describeEachEngine('an account', (engine) => {
  test('has at most the allowed number of valid keys; an ended key does not count', async () => {
    const { issue, keys, write, clock, anna } = await openKeys(engine)
    for (let made = 0; made < liveKeysMax; made++) await issue()
    await expect(issue()).rejects.toMatchObject(tooMany)
    const [first, second] = await keys()
    const roll = (overlapMs: number) => write((tx) => rollKey(tx, clock, anna, second?.id ?? '', overlapMs))
    await expect(roll(hourMs)).rejects.toMatchObject(tooMany)
    expect(await keys()).toContainEqual(second)
    await roll(0)
    await expect(issue()).rejects.toMatchObject(tooMany)
    await write((tx) => revokeKey(tx, clock, anna, first?.id ?? ''))
    await issue()
    await expect(issue()).rejects.toMatchObject(tooMany)
  })

  test('stays within the maximum when several processes create and roll keys at once', async () => {
    const { issue, keys, clock, anna, config, database } = await openKeys(engine)
    for (let made = 0; made < liveKeysMax - 5; made++) await issue()
    const [rolled] = await keys()
    const databases = [database, await openUnmigrated(config), await openUnmigrated(config)]
    const attempts = databases.flatMap((one) =>
      Array.from({ length: 8 }, (_, at) =>
        at % 2 === 0
          ? issue('race', undefined, one)
          : one.write((tx) => rollKey(tx, clock, anna, rolled?.id ?? '')),
      ),
    )
    const outcomes = await Promise.allSettled(attempts)
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toMatchObject(tooMany)
    expect(await keys()).toHaveLength(liveKeysMax)
  })

  test('keeps only the newest ended keys, so that they do not accumulate', async () => {
    const { issue, keys, clock, anna, write, moveBy } = await openKeys(engine)
    const kept = await issue('kept')
    for (let made = 0; made < 105; made++) {
      moveBy(1_000)
      const { id } = await issue(`ended ${made}`)
      await write((tx) => revokeKey(tx, clock, anna, id))
    }
    moveBy(1_000)
    await issue('last')
    const names = (await keys()).map(({ name }) => name)
    expect(names).toHaveLength(102)
    expect([names[0], names.at(-2), names.at(-1)]).toEqual(['last', 'ended 5', kept.name])
  })
})

describeEachEngine('the last use of keys', (engine) => {
  test('is stored if it is later than the stored time', async () => {
    const { issue, keys, database } = await openKeys(engine)
    const made = [await issue('one'), await issue('other'), await issue('third')]
    const [one = '', other = ''] = made.map(({ id }) => id)
    const noted = async () =>
      Object.fromEntries((await keys()).map(({ name, last_used_at }) => [name, last_used_at]))
    const at = (ms: number) => new Date(startMs + ms).toISOString()
    const note = (uses: Record<string, number>) => noteKeyUse(database, new Map(Object.entries(uses)))
    await note({})
    await note({ [one]: startMs + 5, [other]: startMs + 5 })
    await note({ [one]: startMs + 4, [other]: startMs + 6, gone: startMs })
    expect(await noted()).toEqual({ one: at(5), other: at(6), third: null })
  })

  test('is stored by several processes at once, for thousands of keys, and the latest wins', async () => {
    const { issue, keys, config, database } = await openKeys(engine)
    for (let made = 0; made < 20; made++) await issue()
    const ids = (await keys()).map(({ id }) => id)
    const strangers = Array.from({ length: 2_500 }, (_, at) => `stranger ${at}`)
    const databases = [database, await openUnmigrated(config)]
    await Promise.all(
      Array.from({ length: 10 }, (_, round) => {
        const order = [...strangers, ...(round % 2 === 0 ? ids : ids.toReversed())]
        const uses = new Map(order.map((id) => [id, startMs + round]))
        return noteKeyUse(databases[round % 2] as Database, uses)
      }),
    )
    const latest = new Date(startMs + 9).toISOString()
    expect(new Set((await keys()).map(({ last_used_at }) => last_used_at))).toEqual(new Set([latest]))
  })
})
