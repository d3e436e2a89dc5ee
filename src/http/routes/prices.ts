// Serves GET /watches/{id}/prices: the price history of a watch, as far back as the plan allows. It is the only
// catalogue response read from the database: histories are long, rarely requested, and not searchable.
import type { FastifyInstance } from 'fastify'
import type { Caller } from '../../access/keys/keys.ts'
import { type Plan, type PlanName, plans } from '../../access/plans/plans.ts'
import { daysBefore, today } from '../../catalogue/days.ts'
import { type DayRange, type PriceHistory, readPriceHistory } from '../../catalogue/price-history.ts'
import type { Clock } from '../../clock.ts'
import type { Reader } from '../../storage/database.ts'
import { type CatalogueParts, type Prepared, sendResponse } from '../api/send-response.ts'
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
    const prepared = await prepareHistory(parts, watchId, asked, request.caller as Caller)
    return sendResponse(request, reply, parts, () => prepared)
  })
}

/**
 * The ETag is built from the bytes. Nothing known before the read is enough: prices of past days are added without a
 * change of the watch, and the plan and the current day decide how far back the history goes.
 */
async function prepareHistory(
  parts: PriceParts,
  watchId: number,
  asked: DayRange,
  { plan }: Caller,
): Promise<Prepared> {
  const { lines, ...changes } = await readHistoryOn(plan, parts, watchId, asked)
  const body = Buffer.from(JSON.stringify({ data: lines, ...changes }))
  return { etag: bodyEtag(body), make: () => ({ headers: {}, body: () => body }) }
}

/** Reads the history, no further back than the plan allows, whatever range is given. */
export function readHistoryOn(
  plan: PlanName,
  { reader, clock }: Pick<PriceParts, 'reader' | 'clock'>,
  watchId: number,
  asked: DayRange = {},
): Promise<PriceHistory> {
  const day = today(clock)
  const range = { ...asked, from: later(asked.from, firstDayOf(plans[plan], day)) }
  return readPriceHistory(reader, watchId, range, day)
}

/** The first day is included, since `change_365d` may start with it. */
function firstDayOf({ priceHistoryDays }: Plan, day: string): string | undefined {
  return priceHistoryDays === undefined ? undefined : daysBefore(day, priceHistoryDays)
}

function later(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other
  return one > other ? one : other
}
