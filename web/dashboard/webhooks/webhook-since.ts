// Converts the time since which failed deliveries are resent from and to the format of a datetime-local field, which
// has no time zone and means the user's own. Also words the number of resent events.

const dayMs = 86_400_000
const minuteMs = 60_000

/** One day ago, in the field's format. */
export function sinceAtFirst(nowMs: number): string {
  const at = new Date(nowMs - dayMs)
  const inZone = new Date(at.getTime() - at.getTimezoneOffset() * minuteMs)
  return inZone.toISOString().slice(0, 16)
}

/** Undefined when the field is empty or incomplete. */
export function findMoment(written: string): string | undefined {
  const at = new Date(written)
  return written === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}

/** The service resends at most this many events per request. */
const redeliveredMax = 10_000

export function redeliveredInWords(count: number): string {
  if (count === 0) return 'No event failed since then, so there is nothing to redeliver.'
  if (count === 1) return 'Redelivering 1 event.'
  const many = `Redelivering ${count.toLocaleString('en')} events.`
  return count < redeliveredMax ? many : `${many} There may be more: redeliver once more for the rest.`
}
