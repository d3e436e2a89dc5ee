// Parses the parameters that select a page of a list: `page` and `per_page`, and `after`, by which watches are paged
// without missing any.
import { type Given, parseGiven, type QueryErrors, readInteger } from './parameters.ts'
import { splitQuery } from './query-string.ts'

export interface Paging {
  readonly page: number
  readonly perPage: number
}

export const pageMax = 1_000_000_000
export const perPageMax = 100
export const perPageDefault = 25

export const pagingNames: readonly string[] = ['page', 'per_page']

/** Parses the query string of a list that takes only `page` and `per_page`. */
export function parsePaging(written: string): Paging {
  return parseGiven(splitQuery(written, pagingNames), readPaging)
}

export function readPaging(given: Given, errors: QueryErrors): Paging {
  const page = readInteger(given, 'page', 1, pageMax, errors) ?? 1
  const perPage = readInteger(given, 'per_page', 1, perPageMax, errors) ?? perPageDefault
  return { page, perPage }
}

/** Returns undefined if the parameter is not given. */
export function readAfter(given: Given, errors: QueryErrors): number | undefined {
  return readInteger(given, 'after', 0, Number.MAX_SAFE_INTEGER, errors)
}
