// Formats the remaining time of a countdown: `5 h 12 min`, with seconds only in the last hour.

const minuteSeconds = 60
const hourSeconds = 3_600

export function spanText(ms: number): string {
  // Rounded up, so that it does not show 0 before the end.
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  if (seconds < minuteSeconds) return `${seconds} s`
  const hours = Math.floor(seconds / hourSeconds)
  const minutes = Math.floor((seconds % hourSeconds) / minuteSeconds)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % minuteSeconds} s`
}
