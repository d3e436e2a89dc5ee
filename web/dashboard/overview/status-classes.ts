// Groups HTTP statuses into the five classes that the charts and lists show, and counts requests by class.
import type { DayOfUse } from '../../account-api.ts'

/** In the order in which the bars are stacked. */
export const statusClasses = [
  { id: 'answered', name: 'Successful', one: 'Successful', statuses: '2xx' },
  { id: 'unchanged', name: 'Not modified', one: 'Not modified', statuses: '304' },
  { id: 'refused', name: 'Over quota', one: 'Over quota', statuses: '429' },
  { id: 'yours', name: 'Client errors', one: 'Client error', statuses: 'other 4xx' },
  { id: 'ours', name: 'Server errors', one: 'Server error', statuses: '5xx' },
] as const

export type StatusClass = (typeof statusClasses)[number]['id']
export type ClassCounts = Readonly<Record<StatusClass, number>>

export function classOf(status: number): StatusClass {
  if (status === 304) return 'unchanged'
  if (status === 429) return 'refused'
  if (status >= 500) return 'ours'
  return status >= 400 ? 'yours' : 'answered'
}

export function countByClass(statuses: DayOfUse['statuses']): ClassCounts {
  const counts = { answered: 0, unchanged: 0, refused: 0, yours: 0, ours: 0 }
  for (const [status, count] of Object.entries(statuses)) counts[classOf(Number(status))] += count
  return counts
}

/** Whether there were any requests, including those that cost no quota. */
export function hasRequests(days: readonly DayOfUse[]): boolean {
  return days.some(({ statuses }) => totalOf(countByClass(statuses)) > 0)
}

export function totalOf(counts: ClassCounts): number {
  return statusClasses.reduce((sum, { id }) => sum + counts[id], 0)
}

/** `12 successful, 1 client error`; `no requests`. */
export function countsText(counts: ClassCounts): string {
  const said = statusClasses
    .filter(({ id }) => counts[id] > 0)
    .map(
      ({ id, name, one }) =>
        `${counts[id].toLocaleString()} ${(counts[id] === 1 ? one : name).toLowerCase()}`,
    )
  return said.length === 0 ? 'no requests' : said.join(', ')
}
