// In charge of how a span of time is written while it runs down: `5 h 12 min`, and with seconds only when they matter.

const minuteSeconds = 60
const hourSeconds = 3_600

export function spanText(ms: number): string {
  // Rounded up: as long as there is something left, it does not say nothing.
  const seconds = Math.max(0, Math.ceil(ms / 1_000))
  if (seconds < minuteSeconds) return `${seconds} s`
  const hours = Math.floor(seconds / hourSeconds)
  const minutes = Math.floor((seconds % hourSeconds) / minuteSeconds)
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % minuteSeconds} s`
}
