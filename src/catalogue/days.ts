// Computes with calendar days in UTC, as texts like `2026-03-01`. The order of the days is the order of the texts.
import type { Clock } from '../clock.ts'

const dayMs = 86_400_000

export function today(clock: Clock): string {
  return clock.now().toISOString().slice(0, 10)
}

export function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10)
}

/** Whether the day exists: `2025-02-29` has the right form, but does not. */
export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00.000Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}
