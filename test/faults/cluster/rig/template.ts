// Makes the database that every row of the drill starts from: a catalogue of watches, one account for each part of the
// load, and their keys. Each row gets a copy.
import type { PlanName } from '../../../../src/access/plans/plans.ts'
import { createBrand } from '../../../../src/catalogue/brands.ts'
import { createWatch } from '../../../../src/catalogue/watches.ts'
import { recordChanges } from '../../../../src/changes/log.ts'
import { systemClock } from '../../../../src/clock.ts'
import type { Database } from '../../../../src/storage/database.ts'
import { migrate } from '../../../../src/storage/migrate.ts'
import { addAccounts } from '../../drill-accounts.ts'
import { openQuietly } from '../open-quietly.ts'
import { keepData, startNode } from './postgres-node.ts'
import { makeDirectory } from './temporary-directory.ts'

export interface Template {
  /** The data directory of a PostgreSQL server that does not run. */
  readonly data: string
  readonly watchIds: readonly number[]
  /** One key for each of the plans asked for, in their order. */
  readonly keys: readonly string[]
  remove(): void
}

export async function makeTemplate(watches: number, plans: readonly PlanName[]): Promise<Template> {
  const directory = await makeDirectory('template')
  const node = await startNode()
  const settings = { DATABASE_URL: node.url }
  const database = await openQuietly(settings)
  await migrate(database, systemClock)
  const watchIds = await addWatches(database, watches)
  await database.close()
  const keys = await addAccounts(settings, plans)
  return { data: await keepData(node, directory.path), watchIds, keys, remove: directory.remove }
}

function addWatches(database: Database, watches: number): Promise<number[]> {
  const brand = {
    name: 'Drill',
    slug: 'drill',
    aliases: [],
    country: null,
    founded_year: null,
    website: null,
  }
  return recordChanges(database, systemClock, async (tx, record) => {
    const brand_id = await createBrand(tx, systemClock, record, brand)
    const ids: number[] = []
    for (let at = 0; at < watches; at++) {
      const draft = {
        brand_id,
        collection: 'Drill',
        reference_number: `D${at}`,
        retail_price_usd: 0,
        current_market_price: null,
        specs: { case_diameter: `${36 + (at % 10)} mm` },
      }
      const price = { date: systemClock.now().toISOString().slice(0, 10), source: 'drill' }
      ids.push(await createWatch(tx, systemClock, record, draft, price))
    }
    return ids
  })
}
