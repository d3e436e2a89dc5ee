// Parses the query string of GET /changes: the cursor, the limit, the time to wait and the event types.
import {
  addError,
  type Given,
  parseGiven,
  type QueryErrors,
  readInteger,
  readList,
  refuseChoice,
} from '../../search/query/parameters.ts'
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

export const changesNames: readonly string[] = ['since', 'limit', 'wait', 'types']
const listNames: readonly string[] = ['types']

export function parseChangesQuery(raw: string): ChangesQuery {
  const read = (given: Given, errors: QueryErrors) => ({
    since: readSince(given, errors),
    limit: readInteger(given, 'limit', 1, changesMax, errors) ?? changesDefault,
    waitMs: (readInteger(given, 'wait', 0, waitMaxSeconds, errors) ?? 0) * secondMs,
    selectors: readSelectors(given, errors),
  })
  return parseGiven(splitQuery(raw, changesNames), read, listNames)
}

function readSince(given: Given, errors: QueryErrors): Since | undefined {
  const raw = given.values.get('since')
  if (raw === undefined) return undefined
  const since = parseCursor(raw)
  const fault = raw === '' ? 'The since field is required.' : 'The since must be a cursor, a sequence or now.'
  if (since === undefined) addError(errors, 'since', fault)
  return since
}

function readSelectors(given: Given, errors: QueryErrors): readonly string[] {
  const selectors = readList(given, 'types', selectorsMax, errors) ?? everyEvent
  if (!selectors.every((selector) => eventSelectors.includes(selector))) {
    refuseChoice(errors, 'types', eventSelectors)
  }
  return selectors
}
