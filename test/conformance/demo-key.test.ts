// Guarantees about the demo account and its key on both engines: they exist beside other accounts, whatever an
// operator did.
import { expect, test } from 'vitest'
import { createAccount, listAccounts, setStatus } from '../../src/access/accounts/accounts.ts'
import { createDemoAccount, provideDemoKey } from '../../src/access/keys/demo-key.ts'
import { createKey, findCaller, listKeys, liveKeysMax } from '../../src/access/keys/keys.ts'
import type { Database } from '../../src/storage/database.ts'
import { describeEachEngine } from '../databases/engines.ts'
import { openFresh } from '../databases/open-database.ts'
import { manualClock } from '../manual-clock.ts'

const clock = manualClock()
const create = (database: Database, email: string) =>
  database.write((tx) => createAccount(tx, clock, { email, name: 'A', plan: 'free' }))

describeEachEngine('the demo account', (engine) => {
  test('is created beside other accounts, and left unchanged if it exists', async () => {
    const { database } = await openFresh(engine)
    await create(database, 'anna@example.com')
    await database.write((tx) => createDemoAccount(tx, clock))
    await database.write((tx) => createDemoAccount(tx, clock))
    expect(await listAccounts(database.reader, { limit: 10 })).toMatchObject([
      { email: 'anna@example.com' },
      { email: 'demo@localhost', plan: 'free' },
    ])
  })

  test('has a key to show, even if it already has the maximum number of keys', async () => {
    const { database, config } = await openFresh(engine)
    const id = await create(database, 'demo@localhost')
    for (let made = 0; made < liveKeysMax; made++) {
      await database.write((tx) => createKey(tx, clock, id, 'more'))
    }
    const key = (await provideDemoKey(database, clock, config.dataDir)) ?? ''
    expect(await findCaller(database, clock, key)).toMatchObject({ accountId: id })
    expect(await provideDemoKey(database, clock, config.dataDir)).toBe(key)
  })

  test('has no key to show when it is suspended', async () => {
    const { database, config } = await openFresh(engine)
    const id = await create(database, 'demo@localhost')
    await database.write((tx) => setStatus(tx, id, 'suspended'))
    expect(await provideDemoKey(database, clock, config.dataDir)).toBeUndefined()
    expect(await listKeys(database.reader, clock, id)).toEqual([])
  })
})
