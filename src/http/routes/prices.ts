// Serves GET /watches/{id}/prices: the price history of a watch, as far back as the plan allows. It is the only
// catalogue response read from the database: histories are long, rarely requested, and not searchable.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import { type Plan, type PlanName, plans } from '../../access/plans/plans.ts'
import { daysBefore, today } from '../../catalogue/days.ts'
import { type DayRange, type PriceHistory, readPriceHistory } from '../../catalogue/price-history.ts'
import type { Clock } from '../../clock.ts'
import type { Reader } from '../../storage/database.ts'
import { type CatalogueParts, sendResponse } from '../api/send-response.ts'
import { parseDayRange } from '../queries/day-range.ts'
import { rawQueryOf } from '../queries/raw-query.ts'
import { bodyEtag } from '../responses/etag.ts'
import { getWatch } from './watches.ts'

export interface PriceParts extends CatalogueParts {
  readonly reader: Reader
  readonly clock: Clock
}

export function priceRoute(app: FastifyInstance, parts: PriceParts): void {
  app.get<{ Params: { id: string } }>('/watches/:id/prices', async (request, reply) => {
    const asked = parseDayRange(rawQueryOf(request))
    const index = parts.index()
    // Found in the index, as in /watches/{id}: both know the same watches, and an unknown id costs no query.
    const watchId = index.columns.id(getWatch(index, request.params.id))
    const { plan } = request.caller as Caller
    const { lines, ...changes } = await readHistoryOn(plan, parts, watchId, asked)
    const body = Buffer.from(JSON.stringify({ data: lines, ...changes }))
    // The ETag is built from the bytes. Nothing known before the read is enough: prices of past days are added
    // without a change of the watch, and the plan and the current day decide how far back the history goes.
    const prepared = { etag: bodyEtag(body), make: () => ({ headers: {}, body: () => body }) }
    return sendResponse(request, reply, parts, () => prepared)
  })
}

/** Reads the history, no further back than the plan allows, whatever range is given. */
export function readHistoryOn(
  plan: PlanName,
  { reader, clock }: Pick<PriceParts, 'reader' | 'clock'>,
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
