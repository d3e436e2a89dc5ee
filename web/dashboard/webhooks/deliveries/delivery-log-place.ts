// In charge of what the address says of the log of deliveries: which are shown, and which page of them.
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

/** What the address has wrong is as if it were not there. */
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

/** Of the page as of the request: what is as it is anyway is not said. */
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
