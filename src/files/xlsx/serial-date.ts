// Writes the days and times of a sheet, which are numbers of days, as ISO text.

const dayMs = 86_400_000
/** Day 0. Days before March 1900 are one later, because there was no 29 February 1900, and spreadsheets count it. */
const epoch1900Ms = Date.UTC(1899, 11, 30)
const epoch1904Ms = Date.UTC(1904, 0, 1)
const missingDay = 60
/** 31 December 9999. */
const dayMax = 2_958_465

interface DateParts {
  readonly hasYear: boolean
  readonly hasDay: boolean
  readonly hasTime: boolean
}

/** Undefined for a number that is no date. A date at midnight has no time. */
export function writeDate(
  value: number,
  { hasYear, hasDay, hasTime }: DateParts,
  is1904: boolean,
): string | undefined {
  if (!(value >= 0 && value < dayMax + 1)) return undefined
  // Rounded to milliseconds: a fraction of a day is not exact.
  const ms = Math.round(value * dayMs)
  const time = new Date(ms % dayMs)
    .toISOString()
    .slice(11, 23)
    .replace(/\.000$/, '')
  if (!hasYear && !hasDay) return time
  const day = dayOf(Math.floor(ms / dayMs), is1904)
  if (hasYear && !hasDay && !hasTime) return day.slice(0, 4)
  return hasTime && time !== '00:00:00' ? `${day}T${time}` : day
}

/** Some programs write dates as text: `2024-03-01T00:00:00.000Z` is `2024-03-01`. Other text stays as it is. */
export function shortenDate(text: string): string {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)Z?$/.exec(text.trim()) ?? []
  if (day === undefined || time === undefined) return text
  if (/^[0:.]+$/.test(time)) return day
  return `${day}T${time.length === 5 ? `${time}:00` : time.replace(/\.0+$/, '')}`
}

/** `30:15:00` is 30 hours and 15 minutes. */
export function writeDuration(value: number): string {
  const seconds = Math.round(Math.abs(value) * (dayMs / 1_000))
  const [hours, minutes, rest] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60]
  const two = (part: number) => String(part).padStart(2, '0')
  return `${value < 0 ? '-' : ''}${hours}:${two(minutes)}:${two(rest)}`
}

function dayOf(day: number, is1904: boolean): string {
  if (!is1904 && day === missingDay) return '1900-02-29'
  const epochMs = is1904 ? epoch1904Ms : epoch1900Ms + (day < missingDay ? dayMs : 0)
  return new Date(epochMs + day * dayMs).toISOString().slice(0, 10)
}
