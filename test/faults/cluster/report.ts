// Prints the rows of the drill: the details of each when it is done, and all in one table at the end.
import { availableParallelism, loadavg } from 'node:os'
import type { Fault } from './fault.ts'
import type { Delivered } from './receivers.ts'
import type { Figures } from './verdict.ts'

export interface Row {
  readonly fault: Fault
  /** Undefined if the row could not run. */
  readonly figures?: Figures
  /** Why the row was skipped. */
  readonly skipped?: string
  readonly broken: readonly string[]
  readonly seconds: number
}

const findingsShown = 5
const complaintMaxChars = 1_000

const headings = [
  '',
  'fault',
  'requests',
  'failed',
  'over quota',
  'lost',
  'doubled',
  'disordered',
  'late ms',
  'lost writes',
  'wrong',
  'stale',
  'read ms',
  'write ms',
  'fresh ms',
]

export function describeRow({ fault, figures, skipped, broken, seconds }: Row): string[] {
  const title = `${fault.name}: ${fault.description} (${seconds.toFixed(0)} s)`
  if (skipped !== undefined) return [`- ${title}`, `    SKIPPED: ${skipped}`]
  return [
    `${broken.length === 0 ? '✓' : '✗'} ${title}`,
    ...(figures === undefined ? [] : describeFigures(figures)),
    ...broken.map((promise) => `    BROKEN: ${promise}`),
  ]
}

function describeFigures(figures: Figures): string[] {
  const { recovery, delivered, wrong, ended } = figures
  const failed = [...figures.failed].map(([label, count]) => `${label} × ${count}`).join(', ') || 'none'
  const load = `${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
  return [
    `    requests: ${figures.requests}; failed: ${failed}; aside from kills ${figures.failedAside}; until ${ms(figures.failedUntilMs)} ms after the fault, which lasted ${ms(figures.faultMs)} ms`,
    `    quota: ${figures.overQuota} over, ${figures.unspent} granted but not received`,
    ...figures.quotaFindings.map((one) => `    quota: ${one}`),
    `    writes: ${figures.writes}, ${figures.failedWrites} failed, ${figures.lostWrites} acknowledged and lost; webhooks arrived ${ms(figures.settleMs)} ms after the load`,
    ...delivered.map(
      (one) =>
        `    ${one.name} receiver: ${one.lost} lost, ${one.doubled} doubled, ${one.disordered} disordered, ${one.phantoms} of lost writes`,
    ),
    `    after the fault: database ${ms(recovery.databaseMs)} ms, reads ${ms(recovery.readMs)} ms, writes ${ms(recovery.writeMs)} ms; fresh ${ms(recovery.freshMs)} ms after the database; ${figures.stale} stale reads`,
    `    the machine: load average ${load}; the drill itself waited for up to ${ms(figures.stallMs)} ms`,
    ...wrong.slice(0, findingsShown).map((one) => `    wrong: ${one}`),
    ...ended.map((complaint) => `    a process ended by itself: ${complaint.slice(-complaintMaxChars)}`),
  ]
}

export function columnsOf({ fault, figures, skipped, broken }: Row): string[] {
  if (figures === undefined) return [skipped === undefined ? '✗' : '-', fault.name, skipped ?? 'did not run']
  const { delivered, recovery } = figures
  const sum = (read: (one: Delivered) => number) => String(delivered.reduce((all, one) => all + read(one), 0))
  return [
    broken.length === 0 ? '✓' : '✗',
    fault.name,
    String(figures.requests),
    String([...figures.failed.values()].reduce((all, one) => all + one, 0)),
    String(figures.overQuota),
    sum(({ lost }) => lost),
    sum(({ doubled }) => doubled),
    sum(({ disordered }) => disordered),
    ms(figures.settleMs),
    String(figures.lostWrites),
    String(figures.wrong.length),
    String(figures.stale),
    ms(recovery.readMs),
    ms(recovery.writeMs),
    ms(recovery.freshMs),
  ]
}

/** A row that did not run has a text in place of its figures, which takes no part in the widths. */
export function printTable(rows: readonly (readonly string[])[]): string[] {
  const whole = [headings, ...rows.filter(({ length }) => length === headings.length)]
  const widths = headings.map((_, at) => Math.max(...whole.map((row) => row[at]?.length ?? 0)))
  widths[1] = Math.max(...[headings, ...rows].map((row) => row[1]?.length ?? 0))
  return [headings, ...rows].map((row) =>
    row
      .map((cell, at) => (at < 3 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  )
}

function ms(value: number): string {
  return Number.isFinite(value) ? value.toFixed(0) : 'never'
}
