// Shows a time: the date and time in the user's time zone, or how long ago it was. The tooltip shows UTC.
import { localTime, nowMs, utcTime } from '../../scripts/local-time.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** The date and time. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utcTime(at)}>
      {localTime(at)}
    </time>
  )
}

/** `3 hours ago`, `in 2 days`; the tooltip shows the exact time. */
export function Ago({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${localTime(at)} (${utcTime(at)})`}>
      {spanFromNow(at)}
    </time>
  )
}

function spanFromNow(at: string): string {
  const seconds = (Date.parse(at) - nowMs()) / 1_000
  for (const [unit, unitSeconds] of units) {
    if (Math.abs(seconds) >= unitSeconds) return relative.format(Math.trunc(seconds / unitSeconds), unit)
  }
  return relative.format(Math.trunc(seconds), 'second')
}
