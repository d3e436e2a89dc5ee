// Parses the query string of a list of deliveries (status, type, paging), and the `since` time of a redelivery.

import { isDay } from '../../catalogue/days.ts'
import { invalid } from '../../errors.ts'
import { readPaging } from '../../search/query/paging.ts'
import { type Given, parseGiven, type QueryErrors, refuseChoice } from '../../search/query/parameters.ts'
import { splitQuery } from '../../search/query/query-string.ts'
import type { DeliveryQuery } from '../../webhooks/deliveries/list-deliveries.ts'
import { eventTypes, testEvent } from '../../webhooks/event-types.ts'

export const deliveryStatuses = ['waiting', 'delivered', 'failed'] as const
export const deliveredTypes = [...eventTypes, testEvent] as const

export const deliveriesNames = ['status', 'type', 'page', 'per_page'] as const

export function parseDeliveriesQuery(raw: string): DeliveryQuery {
  return parseGiven(splitQuery(raw, deliveriesNames), (given, errors) => ({
    status: readChoice(given, 'status', deliveryStatuses, errors),
    type: readChoice(given, 'type', deliveredTypes, errors),
    ...readPaging(given, errors),
  }))
}

/** Date, time and UTC offset. */
const timeShape = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/i

export function parseSince(raw: unknown): Date {
  if (raw === undefined || raw === null || raw === '') throw invalid('since', 'The since field is required.')
  if (typeof raw !== 'string') throw invalid('since', 'The since must be a string.')
  const time = timeShape.test(raw) ? new Date(raw.toUpperCase()) : undefined
  if (time === undefined) throw invalid('since', 'The since does not match the format 2026-01-31T12:00:00Z.')
  // `Date` turns 31 February into a day of March, hence `isDay`. A year of five digits would sort before all others
  // as text.
  const isTime = !Number.isNaN(time.getTime()) && /^\d{4}-/.test(time.toISOString())
  if (!isTime || !isDay(raw.slice(0, 10))) throw invalid('since', 'The since is not a valid date.')
  return time
}

function readChoice<Choice extends string>(
  given: Given,
  field: string,
  choices: readonly Choice[],
  errors: QueryErrors,
): Choice | undefined {
  const raw = given.values.get(field)
  const choice = choices.find((one) => one === raw)
  if (raw !== undefined && choice === undefined) refuseChoice(errors, field, choices)
  return choice
}
