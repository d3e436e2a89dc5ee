// The current time in the browser, and times formatted in the reader's time zone and language.

export function nowMs(): number {
  return Date.now()
}

const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** `Mar 1, 2026, 7:00 PM`. */
export function localTime(iso: string): string {
  return full.format(new Date(iso))
}

/** `2026-03-01 18:00:00 UTC`, for comparing with a log. */
export function utcTime(iso: string): string {
  return `${new Date(iso).toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
