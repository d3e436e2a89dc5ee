// In charge of `page` and `per_page`: plain decimal digits, within bounds, said once.
import { type FieldErrors, Problem } from '../errors.ts'

export interface Paging {
  readonly page: number
  readonly perPage: number
}

export type QueryParameters = Readonly<Record<string, string | readonly string[] | undefined>>

const perPageDefault = 25
const perPageMax = 100
const pageMax = 1_000_000_000

export function parsePaging(query: QueryParameters): Paging {
  const errors: Record<string, string[]> = {}
  const page = parseInteger(query, 'page', 1, pageMax, errors) ?? 1
  const perPage = parseInteger(query, 'per_page', 1, perPageMax, errors) ?? perPageDefault
  if (Object.keys(errors).length > 0) throw new Problem('invalid', { errors: errors satisfies FieldErrors })
  return { page, perPage }
}

function parseInteger(
  query: QueryParameters,
  field: string,
  min: number,
  max: number,
  errors: Record<string, string[]>,
): number | undefined {
  const written = query[field]
  if (written === undefined) return undefined
  const name = field.replaceAll('_', ' ')
  if (typeof written !== 'string') errors[field] = [`The ${name} must be given once.`]
  else if (!/^-?(0|[1-9]\d*)$/.test(written)) errors[field] = [`The ${name} must be an integer.`]
  else if (!(Number(written) >= min && Number(written) <= max)) {
    errors[field] = [`The ${name} must be between ${min} and ${max}.`]
  } else return Number(written)
  return undefined
}
