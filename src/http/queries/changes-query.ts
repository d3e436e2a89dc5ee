// Parses the query string of GET /changes: the cursor, the limit, the time to wait and the event types.
import {
  addError,
  type Given,
  parseOnce,
  type QueryErrors,
  readInteger,
  refuseChoice,
} from '../../search/query/paging.ts'
import { splitQuery } from '../../search/query/query-string.ts'
import { eventSelectors, everyEvent } from '../../webhooks/event-types.ts'
import { parseCursor, type Since } from './change-cursor.ts'

export interface ChangesQuery {
  /** Undefined for the start of the log. */
  readonly since: Since | undefined
  readonly limit: number
  readonly waitMs: number
  readonly selectors: readonly string[]
}

export const changesMax = 500
export const changesDefault = 100
/** Below the idle timeout of a connection (`limits.socketIdleMs`), after which it is cut. */
export const waitMaxSeconds = 10
const secondMs = 1_000
const selectorsMax = eventSelectors.length

const names = ['since', 'limit', 'wait', 'types'] as const

export function parseChangesQuery(raw: string): ChangesQuery {
  return parseOnce(splitQuery(raw, names), (given, errors) => ({
    since: readSince(given, errors),
    limit: readInteger(given, 'limit', 1, changesMax, errors) ?? changesDefault,
    waitMs: (readInteger(given, 'wait', 0, waitMaxSeconds, errors) ?? 0) * secondMs,
    selectors: readSelectors(given, errors),
  }))
}

function readSince(given: Given, errors: QueryErrors): Since | undefined {
  const raw = given.get('since')
  if (raw === undefined) return undefined
  const since = parseCursor(raw)
  const fault = raw === '' ? 'The since field is required.' : 'The since must be a cursor, a sequence or now.'
  if (since === undefined) addError(errors, 'since', fault)
  return since
}

function readSelectors(given: Given, errors: QueryErrors): readonly string[] {
  const selectors = given.get('types')?.split(',', selectorsMax + 1) ?? everyEvent
  if (selectors.length > selectorsMax) {
    addError(errors, 'types', `The types may not have more than ${selectorsMax} items.`)
  } else if (!selectors.every((selector) => eventSelectors.includes(selector))) {
    refuseChoice(errors, 'types', eventSelectors)
  }
  return selectors
}
