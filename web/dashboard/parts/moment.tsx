// In charge of how a moment is shown: how long ago, or when, in the person's zone; UTC when one hovers over it.
import { localTime, nowMs, utcTime } from '../../scripts/local-time.ts'

const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

/** Date and time. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={utcTime(at)}>
      {localTime(at)}
    </time>
  )
}

/** `3 hours ago`, `in 2 days`; the moment itself when one hovers over it. */
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
