// In charge of the moment from which on failed deliveries are sent again, as a field for date and time has it: in the
// person's own zone, without saying which.

const dayMs = 86_400_000
const minuteMs = 60_000

/** A day ago, as such a field takes it. */
export function sinceAtFirst(nowMs: number): string {
  const at = new Date(nowMs - dayMs)
  const inZone = new Date(at.getTime() - at.getTimezoneOffset() * minuteMs)
  return inZone.toISOString().slice(0, 16)
}

/** Undefined where the field is empty or half written. */
export function findMoment(written: string): string | undefined {
  const at = new Date(written)
  return written === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** So many are sent again with one request, and no more. */
const redeliveredMax = 10_000

export function redeliveredInWords(count: number): string {
  if (count === 0) return 'No event failed since then: nothing is sent again.'
  if (count === 1) return 'One event is sent again.'
  const many = `${count.toLocaleString('en')} events are sent again.`
  return count < redeliveredMax ? many : `${many} There may be more: do it once more for the rest.`
}
