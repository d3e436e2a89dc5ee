// Exports the prices: the whole history, in order of watch and day.
import { sql } from 'kysely'
import type { Reader, Tables } from '../../storage/database.ts'
import { pageMax } from '../edit/watch-pages.ts'
import { plainTable } from './export-table.ts'

type PriceRow = Readonly<Tables['prices']>

export function exportPrices(view: Reader) {
  return plainTable({
    columns: [
      { name: 'watch_id', type: 'INT64' },
      { name: 'date', type: 'STRING' },
      { name: 'retail_price_usd', type: 'DOUBLE', isNullable: true },
      { name: 'current_market_price', type: 'DOUBLE', isNullable: true },
      { name: 'source', type: 'STRING' },
    ],
    async *pages() {
      let page = await readPricesAfter(view, 0, '')
      for (let last = page.at(-1); last !== undefined; last = page.at(-1)) {
        yield page
        page = await readPricesAfter(view, last.watch_id, last.date)
      }
    },
  })
}

function readPricesAfter(view: Reader, watchId: number, date: string): Promise<PriceRow[]> {
  return (
    view
      .selectFrom('prices')
      .select(['watch_id', 'date', 'retail_price_usd', 'current_market_price', 'source'])
      // Compared as one pair, so that both engines follow the primary key.
      .where(sql<boolean>`(watch_id, date) > (${watchId}, ${date})`)
      .orderBy('watch_id')
      .orderBy('date')
      .limit(pageMax)
      .execute()
  )
}
