// `watchdata watch show ID`: prints a watch with its specs and prices.
import { today } from '../../catalogue/days.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { type PriceLine, readPriceHistory } from '../../catalogue/price-history.ts'
import { type WatchRow, watchJson, watchText } from '../../catalogue/watches.ts'
import { systemClock } from '../../clock.ts'
import { grouped, moment, shown, usd, visible } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, table } from '../output.ts'
import { getWatch } from './watch-lookup.ts'

type ShowOptions = CommonOptions & { readonly brand?: string }

const linesMax = 10

export async function showCommand(raw: string, { brand, json }: ShowOptions): Promise<void> {
  await withCurrentDatabase(async ({ reader }) => {
    const finder = await BrandFinder.read(reader)
    const row = await getWatch(reader, finder, raw, brand)
    const { lines } = await readPriceHistory(reader, row.id, {}, today(systemClock))
    const name = finder.name(row.brand_id)
    // The JSON has the specs as they are stored, byte for byte.
    if (json) print(`{"watch":${watchText(watchJson(row, name))},"prices":${JSON.stringify(lines)}}`)
    else print([summary(row, name), specs(row), history(lines)].join('\n\n'))
  })
}

function summary(row: WatchRow, brand: string): string {
  return table([
    ['Id', String(row.id)],
    ['Brand', visible(brand)],
    ['Collection', visible(row.collection) || '–'],
    ['Reference', visible(row.reference_number)],
    ['Retail price', usd(row.retail_price_usd)],
    ['Market price', usd(row.current_market_price)],
    ['Updated', moment(row.updated_at)],
  ])
}

function specs(row: WatchRow): string {
  const entries = Object.entries(JSON.parse(row.specs))
  if (entries.length === 0) return 'No specs.'
  return table(entries.map(([key, value]) => [visible(key), shown(value)]))
}

function history(lines: readonly PriceLine[]): string {
  if (lines.length === 0) return 'No price history.'
  const rows = lines
    .slice(0, linesMax)
    .map(({ date, retail_price_usd, current_market_price, source }) => [
      date,
      usd(retail_price_usd),
      usd(current_market_price),
      visible(source),
    ])
  const more = lines.length - rows.length
  const earlier = more > 0 ? `\n… and ${grouped(more)} earlier` : ''
  return table([['prices', 'retail', 'market', 'source'], ...rows], [1, 2]) + earlier
}
