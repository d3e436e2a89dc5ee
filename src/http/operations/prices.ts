// Answers GET /watches/{id}/prices: the price history of a watch, as far back as the plan allows. It is the only
// catalogue response read from the database: histories are long, rarely requested, and not searchable.
import { type Plan, type PlanName, plans } from '../../access/plans/plans.ts'
import { daysBefore, today } from '../../catalogue/days.ts'
import { type DayRange, type PriceHistory, readPriceHistory } from '../../catalogue/price-history.ts'
import type { Clock } from '../../clock.ts'
import type { Reader } from '../../storage/database.ts'
import { parseDayRange } from '../queries/day-range.ts'
import { bodyEtag } from '../responses/etag.ts'
import { jsonOf } from '../responses/json.ts'
import type { Prepared } from '../responses/prepared.ts'
import type { ApiParts, Call } from './call.ts'
import { getOrdinal } from './watches.ts'

export async function getPriceHistory(
  { rawQuery, parameters, caller }: Call,
  { index: current, database: { reader }, clock }: ApiParts,
): Promise<Prepared> {
  const asked = parseDayRange(rawQuery)
  const index = current()
  // Found in the index, as in /watches/{id}: both know the same watches, and an unknown id costs no query.
  const watchId = index.columns.id(getOrdinal(index, parameters.id))
  const { lines, ...changes } = await readHistoryOn(caller.plan, { reader, clock }, watchId, asked)
  const content = jsonOf({ data: lines, ...changes })
  // The ETag is built from the bytes. Nothing known before the read is enough: prices of past days are added
  // without a change of the watch, and the plan and the current day decide how far back the history goes.
  return { etag: bodyEtag(content), make: () => ({ headers: {}, content }) }
}

/** Reads the history, no further back than the plan allows, whatever range is given. */
export function readHistoryOn(
  plan: PlanName,
  { reader, clock }: { readonly reader: Reader; readonly clock: Clock },
  watchId: number,
  asked: DayRange = {},
): Promise<PriceHistory> {
  const day = today(clock)
  const { priceHistoryDays }: Plan = plans[plan]
  // The first day is included, since `change_365d` may start with it.
  const first = priceHistoryDays === undefined ? undefined : daysBefore(day, priceHistoryDays)
  const days = [asked.from, first].filter((one) => one !== undefined)
  return readPriceHistory(reader, watchId, { ...asked, from: days.sort().at(-1) }, day)
}
