// `npm run bench -- freshness`: commits new prices to a PostgreSQL database whose catalogue a process serves, and measures
// the time from the commit until that process serves the last of them, how much its memory grows, and how long its event
// loop is held meanwhile. With `--watches` and `--changes`.
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { recordChanges } from '../src/changes/log.ts'
import { systemClock } from '../src/clock.ts'
import type { Database } from '../src/storage/database.ts'
import { parseFlags } from '../test/faults/flags.ts'
import { type Catalogue, provideCatalogue } from './catalogues/kept-catalogues.ts'
import { copyToPostgres } from './catalogues/postgres-catalogue.ts'
import { longestDelay, loopDelayFlags } from './measure/read-loop-delay.ts'
import { atMost, type Figure, printReport, tellStep } from './measure/report.ts'
import { openRunDirectory } from './measure/run-directory.ts'
import { askAll, type Serving, startServing } from './measure/serving-process.ts'
import { curl } from './workloads/clients.ts'
import { listPath } from './workloads/workload.ts'

interface Bench {
  readonly serving: Serving
  readonly catalogue: Catalogue
  readonly database: Database
}

interface Served {
  /** From the commit until the change was served. */
  readonly ms: number
  readonly grownBytes: number
  readonly heldMs: number
  readonly heldCpuMs: number
  /** CPU time of the serving process. */
  readonly cpuSeconds: number
}

const defaults = { watches: 1_000_000, changes: 100_000 }
const [manyMaxMs, singleMaxMs] = [2_000, 1_000]
const singles = 200
const [fewChanges, batchChanges] = [3_000, 1_000]
const servedMaxMs = 300_000
/** The time between two looks at how far the service is; longer for many changes, whose time the looks would take. */
const lookMs = { one: 2, many: 20 }
const megabyte = 1024 * 1024
/** For a timer that looks at the event loop every millisecond. */
const settleMs = 10

export async function benchFreshness(flags: readonly string[]): Promise<void> {
  const keep = '--keep'
  const { watches, changes } = parseFlags(
    flags.filter((flag) => flag !== keep),
    defaults,
  ).numbers
  const catalogue = await provideCatalogue(watches, openRunDirectory(), flags.includes(keep))
  const postgres = await copyToPostgres(catalogue)
  try {
    const env = { DATABASE_URL: postgres.url }
    const serving = await startServing(catalogue.directory, { nodeFlags: loopDelayFlags, env })
    try {
      const figures = await measureAll({ serving, catalogue, database: postgres.database }, changes)
      if (!printReport(figures, [])) process.exitCode = 1
    } finally {
      await serving.process.stop()
    }
  } finally {
    await postgres.stop()
  }
}

async function measureAll(bench: Bench, changes: number): Promise<Figure[]> {
  // Compiles the code that is measured.
  await measure(bench, () => commitPrices(bench, fewChanges))
  const times: number[] = []
  for (let at = 0; at < singles; at++)
    times.push((await measure(bench, () => commitPrices(bench, 1), lookMs.one)).ms)
  times.sort((one, other) => one - other)
  const p99Ms = times[Math.floor(singles * 0.99)] ?? Number.NaN
  const few = await measure(bench, () => commitPrices(bench, fewChanges))
  const many = await measure(bench, () => commitPrices(bench, changes))
  const batches = await measure(bench, async () => {
    let last = { sequence: 0, committedMs: 0 }
    for (let done = 0; done < changes; done += batchChanges) last = await commitPrices(bench, batchChanges)
    return last
  })
  return [
    {
      name: 'one new price: p99 until served',
      ...atMost(p99Ms, singleMaxMs, 'ms'),
      details: `median ${(times[singles / 2] ?? Number.NaN).toFixed(0)} ms of ${singles}`,
    },
    ...figuresOf(`${fewChanges} in one transaction`, few),
    ...figuresOf(`${changes} in one transaction`, many),
    ...figuresOf(`${changes} in transactions of ${batchChanges}`, batches),
  ]
}

function figuresOf(name: string, { ms, grownBytes, heldMs, heldCpuMs, cpuSeconds }: Served): Figure[] {
  return [
    {
      name: `${name}: until the last is served`,
      ...atMost(ms, manyMaxMs, 'ms'),
      details: `${cpuSeconds.toFixed(1)} s of CPU; memory grew by ${(grownBytes / megabyte).toFixed(0)} MB; event loop held for ${heldMs.toFixed(1)} ms, ${heldCpuMs.toFixed(1)} ms of it on the CPU`,
    },
  ]
}

type Commit = () => Promise<{ sequence: number; committedMs: number }>

/** Commits while the service is asked again and again how far it is. */
async function measure(bench: Bench, commit: Commit, everyMs = lookMs.many): Promise<Served> {
  const { serving, catalogue } = bench
  const { process: own } = serving
  await report(own)
  const printed = own.output.length
  const rssBefore = own.rssBytes()
  const cpuBefore = own.cpuSeconds()
  let [rssMost, servedSequence, wanted, committedMs] = [rssBefore, 0, Number.POSITIVE_INFINITY, 0]
  const committing = commit().then((done) => {
    wanted = done.sequence
    committedMs = done.committedMs
  })
  const untilMs = performance.now() + servedMaxMs
  while (servedSequence < wanted) {
    await askAll(serving.url, curl(catalogue.key), [{ path: `${listPath}?per_page=1` }], ({ headers }) => {
      servedSequence = Number(headers['x-catalogue-sequence'])
    })
    rssMost = Math.max(rssMost, own.rssBytes())
    if (performance.now() > untilMs) throw new Error(`change ${wanted} was not served in time`)
    await delay(everyMs)
  }
  const ms = performance.now() - committedMs
  const cpuSeconds = own.cpuSeconds() - cpuBefore
  await committing
  await delay(settleMs)
  await report(own)
  const output = own.output.slice(printed)
  const [wall, cpu] = [longestDelay(output), longestDelay(output, 'cpuMs')]
  if (wanted > 1) tellStep(`  served ${ms.toFixed(0)} ms after the commit`)
  return { ms, grownBytes: rssMost - rssBefore, heldMs: wall.wallMs, heldCpuMs: cpu.cpuMs, cpuSeconds }
}

/** Waits until the server has printed the longest delay so far. */
async function report(server: Serving['process']): Promise<void> {
  const from = server.output.length
  server.signal('SIGUSR2')
  while (!server.output.slice(from).includes('\n')) await delay(1)
}

let rounds = 0

/** Raises the market price of watches all over the catalogue. */
async function commitPrices({ database, catalogue }: Bench, changes: number) {
  const stride = Math.max(1, Math.floor(catalogue.count / changes))
  const updatedAt = new Date().toISOString()
  const first = rounds++ % stride
  const sequence = await recordChanges(database, systemClock, async (tx, record) => {
    const { rows } = await sql<{ id: number; retail: number | null; market: number }>`
      update watches set current_market_price = round(coalesce(current_market_price, 5000) * 1.01), updated_at = ${updatedAt}
      where id % ${stride} = ${first} and id <= ${stride * changes}
      returning id, retail_price_usd as retail, current_market_price as market
    `.execute(tx)
    for (const { id, retail, market } of rows) {
      const prices = { retail_price_usd: retail, current_market_price: market }
      // The old prices are of no interest here, but as long as they are in an import.
      const data = { old: prices, new: prices, updated_at: updatedAt }
      record({ type: 'watch.price_changed', subjectId: id, data })
    }
    const { value } = await tx.selectFrom('sequence').select('value').executeTakeFirstOrThrow()
    return value + rows.length
  })
  return { sequence, committedMs: performance.now() }
}
