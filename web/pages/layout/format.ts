// Formats numbers, money, durations and times on every page: US English, UTC.

import { type Html, html } from './html.ts'

export function formatNumber(value: number): string {
  return numberFormat.format(value)
}

export function formatUsd(value: number): string {
  return usdFormat.format(value)
}

/** Formats a duration with its two largest units: `3 days 4 h`, `12 min 5 s`. */
export function formatSpan(fromIso: string, toIso: string): string {
  let seconds = Math.max(0, Math.floor((Date.parse(toIso) - Date.parse(fromIso)) / 1000))
  const parts: string[] = []
  for (const [unit, unitSeconds] of durationUnits) {
    const count = Math.floor(seconds / unitSeconds)
    seconds -= count * unitSeconds
    if (count > 0) parts.push(`${formatNumber(count)} ${unit === 'day' && count !== 1 ? 'days' : unit}`)
    else if (parts.length > 0) break
    if (parts.length === 2) break
  }
  return parts.length > 0 ? parts.join(' ') : '0 s'
}

/** Formats a number of seconds with its two largest units. */
export function formatWait(seconds: number): string {
  return formatSpan(new Date(0).toISOString(), new Date(seconds * 1_000).toISOString())
}

export function utcTime(iso: string): Html {
  const moment = new Date(iso)
  return html`<time datetime="${moment.toISOString()}" data-local>${momentFormat.format(moment)} UTC</time>`
}

const numberFormat = new Intl.NumberFormat('en-US')

const usdFormat = new Intl.NumberFormat('en-US', {
  style: 'currency',
  currency: 'USD',
  trailingZeroDisplay: 'stripIfInteger',
})

const momentFormat = new Intl.DateTimeFormat('en-US', {
  timeZone: 'UTC',
  dateStyle: 'medium',
  timeStyle: 'medium',
  hourCycle: 'h23',
})

const durationUnits: readonly (readonly [name: string, seconds: number])[] = [
  ['day', 86_400],
  ['h', 3_600],
  ['min', 60],
  ['s', 1],
]
