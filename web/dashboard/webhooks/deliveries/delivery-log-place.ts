// Reads and writes the query of the delivery log: its filters and its page.
import { deliveredTypes } from '../webhook-events.ts'

export const logStatuses = ['waiting', 'delivered', 'failed'] as const

export interface LogPlace {
  /** Empty for all. */
  readonly status: string
  readonly type: string
  readonly page: number
}

const perPage = 25
const pageMax = 1_000_000

/** Ignores invalid parameters. */
export function parseLogPlace(query: URLSearchParams): LogPlace {
  const status = query.get('status') ?? ''
  const type = query.get('type') ?? ''
  const page = Number(query.get('page') ?? 1)
  return {
    status: logStatuses.some((one) => one === status) ? status : '',
    type: deliveredTypes.includes(type) ? type : '',
    page: Number.isInteger(page) && page >= 1 && page <= pageMax ? page : 1,
  }
}

/** The query of both the page's URL and the API request. Leaves out default values. */
export function logQuery({ status, type, page }: LogPlace): string {
  const said = new URLSearchParams()
  if (status !== '') said.set('status', status)
  if (type !== '') said.set('type', type)
  if (page > 1) said.set('page', String(page))
  return said.size === 0 ? '' : `?${said}`
}

export function pagesOf(total: number): number {
  return Math.max(1, Math.ceil(total / perPage))
}
