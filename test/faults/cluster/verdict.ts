// Computes the figures of a row from what was recorded, and says which guarantees are broken.
import type { CatalogueState } from '../catalogue-state.ts'
import type { Fault, Note } from './fault.ts'
import type { Write } from './price-writer.ts'
import type { Exported } from './process-client.ts'
import { judgeQuotas, type QuotaFigures } from './quotas.ts'
import type { Delivered, PriceChange } from './receivers.ts'
import type { Answer, LoadAccount } from './recording-client.ts'
import type { Recovery } from './recovery.ts'

export interface Recorded {
  readonly accounts: readonly LoadAccount[]
  readonly answers: readonly Answer[]
  readonly writes: readonly Write[]
  /** The catalogue and the log of the database after the row. */
  readonly state: CatalogueState
  readonly delivered: readonly Delivered[]
  /** Of each process; an error if the export failed. */
  readonly exports: readonly (Exported | Error)[]
  readonly recovery: Recovery
  /** From the beginning of the fault to its end. */
  readonly notes: readonly Note[]
  /** For how long the drill itself got no time from its machine, at most. */
  readonly stallMs: number
  /** How long the webhooks took to arrive after the load. */
  readonly settleMs: number
  /** What processes wrote that ended by themselves. */
  readonly ended: readonly string[]
}

type Kept = Pick<Recorded, 'delivered' | 'recovery' | 'settleMs' | 'stallMs' | 'ended'>

export interface Figures extends Kept, QuotaFigures {
  readonly requests: number
  /** How many requests failed, by status or connection error, and by when they did. */
  readonly failed: ReadonlyMap<string, number>
  /** Failed requests that no killed process was answering. */
  readonly failedAside: number
  /** Until when requests failed, from the end of the fault. */
  readonly failedUntilMs: number
  readonly faultMs: number
  readonly writes: number
  readonly failedWrites: number
  /** Acknowledged writes that the database does not have. */
  readonly lostWrites: number
  /** How the processes differ from the database. */
  readonly wrong: readonly string[]
  /** Reads after the recovery that missed a change of more than a second ago, or showed one that is not in the log. */
  readonly stale: number
}

const staleAfterMs = 1_000
const freshMaxMs = 1_000
const writesMaxMs = 30_000
/** haproxy may learn only now that a process is gone. */
const goneAgoMaxMs = 20

export function judge(recorded: Recorded): Figures {
  const { answers, writes, state, notes, recovery } = recorded
  const [struckMs, endedMs] = [notes[0]?.atMs ?? 0, notes.at(-1)?.atMs ?? 0]
  const failed = answers.filter(({ status }) => status !== 200 && status !== 429)
  const logged = new Set(priceChangesOf(state).map(({ price }) => price))
  return {
    ...recorded,
    requests: answers.length,
    failed: countBy(failed.map((one) => describeFailure(one, notes))),
    failedAside: failed.filter((one) => !isInFlight(one, notes)).length,
    failedUntilMs: Math.max(0, ...failed.map((one) => one.startedMs - endedMs)),
    faultMs: endedMs - struckMs,
    ...judgeQuotas(recorded.accounts, answers, struckMs),
    writes: writes.length,
    failedWrites: writes.filter(({ ackedMs }) => ackedMs === undefined).length,
    lostWrites: writes.filter(({ ackedMs, price }) => ackedMs !== undefined && !logged.has(price)).length,
    wrong: compareExports(recorded),
    stale: countStale(recorded, logged, endedMs + recovery.databaseMs + staleAfterMs),
  }
}

/** The price changes of the drill in the log. */
export function priceChangesOf({ changes }: CatalogueState): PriceChange[] {
  return changes
    .filter(({ type }) => type === 'watch.price_changed')
    .map(({ subjectId, data }) => {
      const { new: price } = data as { new: { retail_price_usd: number } }
      return { watchId: subjectId, price: price.retail_price_usd }
    })
}

/** Returns the guarantees that a row breaks. */
export function findBroken(fault: Fault, figures: Figures): string[] {
  const { failed, failedAside, delivered, recovery, wrong, ended } = figures
  const sum = (read: (one: Delivered) => number) => delivered.reduce((all, one) => all + read(one), 0)
  const broken: [boolean, string][] = [
    [fault.mayFail === 'none' && failed.size > 0, 'no request fails'],
    [fault.mayFail === 'in flight' && failedAside > 0, 'only requests in flight fail'],
    [figures.overQuota > 0, 'no account gets more than its quota'],
    [sum(({ lost }) => lost) > 0, 'no webhook is lost'],
    [sum(({ disordered }) => disordered) > 0, 'webhooks of a watch arrive in order'],
    [figures.lostWrites > 0 && !fault.losesWrites, 'no acknowledged write is lost'],
    [wrong.length > 0, 'all processes serve what is in the database'],
    [figures.stale > 0, 'reads are fresh after a second'],
    [recovery.freshMs > freshMaxMs, `every process is fresh within ${freshMaxMs} ms`],
    [recovery.writeMs > writesMaxMs, `every process writes within ${writesMaxMs / 1_000} s`],
    [ended.length > 0, 'no process ends by itself'],
  ]
  return broken.filter(([isBroken]) => isBroken).map(([, promise]) => promise)
}

function compareExports({ exports, state }: Recorded): string[] {
  const wrong: string[] = []
  const prices = new Map(state.watches.map((watch) => [watch.id, watch.retail_price_usd]))
  const first = exports.find((one): one is Exported => !(one instanceof Error))
  for (const [at, one] of exports.entries()) {
    const name = `process ${at + 1}`
    if (one instanceof Error) {
      wrong.push(`${name}: ${one.message}`)
      continue
    }
    const { text, sequence = state.sequence } = one
    if (sequence !== state.sequence)
      wrong.push(`${name} is at ${sequence}, the database at ${state.sequence}`)
    if (text !== first?.text) wrong.push(`${name} exports other bytes than the first`)
    const watches = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    const differing = watches.filter(({ id, retail_price_usd }) => prices.get(id) !== retail_price_usd).length
    if (differing > 0) wrong.push(`${name} has another price than the database for ${differing} watches`)
    if (watches.length !== prices.size) wrong.push(`${name} has ${watches.length} of ${prices.size} watches`)
  }
  return wrong
}

function countStale({ answers, writes }: Recorded, logged: ReadonlySet<number>, fromMs: number): number {
  const kept = writes.filter(({ price }) => logged.has(price))
  const byWatch = Map.groupBy(kept, ({ watchId }) => watchId)
  return answers.filter(({ watchId, price, startedMs }) => {
    if (price === undefined || startedMs < fromMs) return false
    if (price > 0 && !logged.has(price)) return true
    const known = (byWatch.get(watchId) ?? []).filter(
      ({ ackedMs }) => ackedMs !== undefined && ackedMs < startedMs - staleAfterMs,
    )
    return known.some((write) => write.price > price)
  }).length
}

/** Until a killed process is gone, which the next note tells, the kernel still takes requests for it. */
function isInFlight({ startedMs, endedMs }: Answer, notes: readonly Note[]): boolean {
  return notes.some(({ what, atMs }, at) => {
    const goneMs = notes[at + 1]?.atMs ?? atMs
    return what === 'killed' && startedMs < goneMs + goneAgoMaxMs && endedMs > atMs
  })
}

function describeFailure({ status, error, endedMs }: Answer, notes: readonly Note[]): string {
  const last = notes.findLast(({ atMs }) => atMs < endedMs)
  return `${error ?? status} ${last?.what ?? 'before'}`
}

function countBy(labels: readonly string[]): Map<string, number> {
  return new Map([...Map.groupBy(labels, (label) => label)].map(([label, all]) => [label, all.length]))
}
