// Guarantees about accounts on both engines: an e-mail belongs to one account, every change of plan is recorded, and
// deletion leaves nothing.
import { expect, test } from 'vitest'
import {
  createAccount,
  deleteAccount,
  findAccount,
  listAccounts,
  listPlanChanges,
  setPlan,
  setStatus,
} from '../../src/access/accounts/accounts.ts'
import {
  deleteOldCounts,
  hashMailbox,
  keepCount,
  resumeCount,
} from '../../src/access/accounts/deleted-counts.ts'
import { createOperatorBilling, declinePlan } from '../../src/access/billing/operator-billing.ts'
import { createKey, findCaller } from '../../src/access/keys/keys.ts'
import type { PlanName } from '../../src/access/plans/plans.ts'
import { readUsage } from '../../src/access/plans/usage.ts'
import { Problem } from '../../src/errors.ts'
import { readCount } from '../../src/storage/counter/daily-counts.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine, type Engine } from '../databases/engines.ts'
import { openFresh, openUnmigrated } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const start = '2026-03-01T12:00:00.000Z'
const nobody = '00000000-0000-4000-8000-000000000000'

async function openAccounts(engine: Engine) {
  const { database, config } = await openFresh(engine)
  const clock = manualClock(start)
  const create = (email: string, plan: PlanName = 'free', on: Database = database) =>
    on.write((tx) => createAccount(tx, clock, { email, name: 'Anna', plan }))
  const moveBy = (ms: number) => clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
  return { database, config, clock, create, moveBy, reader: database.reader }
}

const taken = { code: 'invalid', details: { errors: { email: ['The email has already been taken.'] } } }
const notFound = { code: 'not_found' }

describeEachEngine('an account', (engine) => {
  test('is stored and found by its e-mail in any case', async () => {
    const { create, reader } = await openAccounts(engine)
    const id = await create('  Anna@Example.com ', 'pro')
    const account = {
      id,
      email: 'anna@example.com',
      name: 'Anna',
      plan: 'pro',
      role: 'consumer',
      status: 'active',
      created_at: start,
    }
    for (const email of ['anna@example.com', 'ANNA@EXAMPLE.COM ']) {
      expect(await findAccount(reader, email)).toEqual(account)
    }
    for (const other of ['ann@example.com', '', 'anna@example.com\u0000', "' or 1=1 --"]) {
      expect(await findAccount(reader, other)).toBeUndefined()
    }
  })

  test('whose e-mail is taken, in any case, is rejected, and nothing is written', async () => {
    const { create, database, clock, reader } = await openAccounts(engine)
    await create('anna@example.com')
    await expect(create('ANNA@example.com', 'pro')).rejects.toMatchObject(taken)
    const spoilt = database.write(async (tx) => {
      await expect(createAccount(tx, clock, { email: 'x', name: 'X', plan: 'pro' })).rejects.toThrow(Problem)
      const draft = { email: 'Anna@Example.com', name: 'Anna', plan: 'pro' } as const
      await expect(createAccount(tx, clock, draft)).rejects.toMatchObject(taken)
      // The transaction is still usable.
      return createAccount(tx, clock, { ...draft, email: 'ben@example.com' })
    })
    expect(await spoilt).toEqual(expect.any(String))
    expect(await listAccounts(reader, { limit: 10 })).toMatchObject([
      { email: 'anna@example.com', plan: 'free' },
      { email: 'ben@example.com', plan: 'pro' },
    ])
  })

  test('is created once when several processes create it at the same time', async () => {
    const { create, config, database, reader } = await openAccounts(engine)
    const databases = [database, await openUnmigrated(config)]
    const made = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => create('anna@example.com', 'pro', databases[at % 2])),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const one of made) if (one.status === 'rejected') expect(one.reason).toMatchObject(taken)
    expect(await listAccounts(reader, { limit: 10 })).toHaveLength(1)
  })

  test('is listed by e-mail, page by page, for all plans or for one', async () => {
    const { create, reader } = await openAccounts(engine)
    for (const name of ['dora', 'anna', 'carl', 'ben']) {
      await create(`${name}@example.com`, name === 'ben' ? 'pro' : 'free')
    }
    const emails = async (wanted: Parameters<typeof listAccounts>[1]) =>
      (await listAccounts(reader, wanted)).map(({ email }) => email.split('@')[0])
    expect(await emails({ limit: 3 })).toEqual(['anna', 'ben', 'carl'])
    expect(await emails({ limit: 3, after: 'carl@example.com' })).toEqual(['dora'])
    expect(await emails({ limit: 3, plan: 'free' })).toEqual(['anna', 'carl', 'dora'])
    expect(await emails({ limit: 3, plan: 'platinum' })).toEqual([])
  })

  test('that is suspended has no valid key until the suspension is lifted', async () => {
    const { create, database, clock, reader } = await openAccounts(engine)
    const id = await create('anna@example.com')
    const key = await database.write((tx) => createKey(tx, clock, id, 'first'))
    await database.write((tx) => setStatus(tx, id, 'suspended'))
    await database.write((tx) => setStatus(tx, id, 'suspended'))
    expect(await findAccount(reader, 'anna@example.com')).toMatchObject({ status: 'suspended' })
    expect(await findCaller(database, clock, key)).toBeUndefined()
    await database.write((tx) => setStatus(tx, id, 'active'))
    expect(await findCaller(database, clock, key)).toMatchObject({ accountId: id })
  })

  test('that is deleted leaves nothing behind and does not affect others', async () => {
    const { create, database, clock, reader } = await openAccounts(engine)
    const billing = createOperatorBilling(database, clock)
    const ids = [await create('anna@example.com'), await create('ben@example.com')]
    for (const id of ids) {
      await database.write(async (tx) => {
        await createKey(tx, clock, id, 'first')
        await tx.insertInto('daily_counts').values({ subject: id, day: '2026-03-01', used: 7 }).execute()
      })
      await billing.askForPlan(id, 'pro')
    }
    const [anna = '', ben = ''] = ids
    await database.write((tx) => deleteAccount(tx, anna))
    const left = await Promise.all([
      reader.selectFrom('accounts').select('id as id').execute(),
      reader.selectFrom('api_keys').select('account_id as id').execute(),
      reader.selectFrom('plan_changes').select('account_id as id').execute(),
      reader.selectFrom('plan_requests').select('account_id as id').execute(),
      reader.selectFrom('daily_counts').select('subject as id').execute(),
    ])
    expect(left).toEqual(Array.from({ length: 5 }, () => [{ id: ben }]))
    await expect(create('anna@example.com')).resolves.not.toBe(anna)
  })

  test('created again on the same day continues the count, on the next day starts at zero', async () => {
    const { create, database, clock, reader, moveBy } = await openAccounts(engine)
    const mailbox = hashMailbox('secret', 'anna@example.com')
    expect(hashMailbox('secret', 'anna+tag@example.com')).toBe(mailbox)
    expect(hashMailbox('other', 'anna@example.com')).not.toBe(mailbox)
    const leave = (id: string, used: number) =>
      database.write(async (tx) => {
        await deleteAccount(tx, id)
        await keepCount(tx, id, mailbox, { day: '2026-03-01', used, limit: 50 })
      })
    const comeBack = async () => {
      const id = await create('anna@example.com')
      await database.write((tx) => resumeCount(tx, clock, id, mailbox))
      return id
    }
    const usedBy = async (id: string) => await readCount(database, id, '2026-03-01')
    const first = await create('anna@example.com')
    await leave(first, 7)
    // Nothing is granted to keys that another process still has in its cache.
    expect(await usedBy(first)).toBe(50)
    const second = await comeBack()
    expect(await usedBy(second)).toBe(7)
    await leave(second, 9)
    const third = await comeBack()
    expect(await usedBy(third)).toBe(9)
    await deleteOldCounts(database, clock)
    expect(await reader.selectFrom('deleted_counts').select('used').execute()).toHaveLength(2)
    moveBy(86_400_000)
    await deleteOldCounts(database, clock)
    expect(await reader.selectFrom('deleted_counts').select('used').execute()).toEqual([])
    expect(await reader.selectFrom('daily_counts').select('subject').execute()).toEqual([{ subject: third }])
    await database.write((tx) => deleteAccount(tx, third))
    const fourth = await comeBack()
    expect(await readCount(database, fourth, '2026-03-02')).toBe(0)
  })

  test('that does not exist is not found', async () => {
    const { database, clock } = await openAccounts(engine)
    const billing = createOperatorBilling(database, clock)
    for (const work of [
      () => database.write((tx) => setPlan(tx, clock, nobody, 'pro', 'x')),
      () => database.write((tx) => setStatus(tx, nobody, 'suspended')),
      () => database.write((tx) => deleteAccount(tx, nobody)),
      () => database.write((tx) => declinePlan(tx, clock, nobody, 'x')),
      () => billing.askForPlan(nobody, 'pro'),
      () => billing.withdraw(nobody),
    ]) {
      await expect(work()).rejects.toMatchObject(notFound)
    }
  })
})

describeEachEngine('a plan', (engine) => {
  test('has a history: every change, who made it and when, in order', async () => {
    const { create, database, clock, reader, moveBy } = await openAccounts(engine)
    const id = await create('anna@example.com')
    const set = (plan: PlanName, by: string) => database.write((tx) => setPlan(tx, clock, id, plan, by))
    moveBy(60_000)
    expect(await set('pro', 'command line (root)')).toBe(true)
    expect(await set('pro', 'nobody')).toBe(false)
    // The order stays even if the clock stands still or goes back.
    moveBy(-1_000)
    expect(await set('platinum', 'ben@example.com')).toBe(true)
    expect(await listPlanChanges(reader, id)).toEqual([
      { old_plan: null, new_plan: 'free', changed_at: start, changed_by: 'anna@example.com' },
      {
        old_plan: 'free',
        new_plan: 'pro',
        changed_at: '2026-03-01T12:01:00.000Z',
        changed_by: 'command line (root)',
      },
      {
        old_plan: 'pro',
        new_plan: 'platinum',
        changed_at: '2026-03-01T12:01:00.001Z',
        changed_by: 'ben@example.com',
      },
    ])
    expect(await findAccount(reader, 'anna@example.com')).toMatchObject({ plan: 'platinum' })
  })

  test('changed by several processes at once has a history without a gap', async () => {
    const { create, config, database, clock, reader } = await openAccounts(engine)
    const id = await create('anna@example.com')
    const databases = [database, await openUnmigrated(config)]
    const wanted = Array.from(
      { length: 12 },
      (_, at) => (['pro', 'platinum', 'free'] as const)[at % 3] ?? 'pro',
    )
    await Promise.all(
      wanted.map((plan, at) =>
        databases[at % 2]?.write((tx) => setPlan(tx, clock, id, plan, `writer ${at}`)),
      ),
    )
    const changes = await listPlanChanges(reader, id)
    expect(changes.map(({ old_plan }) => old_plan)).toEqual([
      null,
      ...changes.slice(0, -1).map(({ new_plan }) => new_plan),
    ])
    expect(await findAccount(reader, 'anna@example.com')).toMatchObject({ plan: changes.at(-1)?.new_plan })
  })
})

describeEachEngine('usage', (engine) => {
  test('is returned for every day, oldest first, for this account alone', async () => {
    const { database, reader } = await openAccounts(engine)
    const rows = [
      ['anna', '2026-03-01', 12],
      ['anna', '2026-02-28', 2 ** 40],
      ['anna', '2026-01-31', 5],
      ['anna', '2026-01-30', 999],
      ['ben', '2026-02-27', 999],
    ] as const
    await database.write(async (tx) => {
      for (const [subject, day, used] of rows) {
        await tx.insertInto('daily_counts').values({ subject, day, used }).execute()
      }
    })
    const days = await readUsage(reader, 'anna', '2026-03-01')
    expect(days).toHaveLength(30)
    expect([days[0], days.at(-2), days.at(-1)]).toEqual([
      { date: '2026-01-31', used: 5 },
      { date: '2026-02-28', used: 2 ** 40 },
      { date: '2026-03-01', used: 12 },
    ])
    expect(days.slice(1, -2).every(({ used }) => used === 0)).toBe(true)
    expect(await readUsage(reader, 'nobody', '2026-03-01', 1)).toEqual([{ date: '2026-03-01', used: 0 }])
  })
})
