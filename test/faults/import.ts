// The drill "an import is whole or not at all, and can be undone": kills imports at random moments and reruns them, first
// of new watches, then of new prices; kills the undo of the second; then runs two imports at once, which take turns, and
// undoes both. After each kill the catalogue must be as before, row for row, or whole; in the end it must be what
// uninterrupted imports would have made, and the log must contain each change once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { listRuns, type Run } from '../../src/catalogue/runs/run-log.ts'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import type { ImportSummary } from '../../src/imports/import-options.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { importWatches } from '../../src/imports/watches/import-watches.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { catalogueRows } from '../catalogue/catalogue-rows.ts'
import { plainImport } from '../catalogue/plain-import.ts'
import { undo } from '../catalogue/undo.ts'
import { type CatalogueState, readState } from './catalogue-state.ts'
import type { Drill } from './drill.ts'
import { type DrillEngine, onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { checkIntegrity } from './integrity.ts'
import { ImportProcess } from './processes/import-process.ts'
import { findGaps, findHalfWritten } from './verify-state.ts'

export interface ImportPlan {
  /** Kills during each of the two imports, and during an undo. */
  readonly kills: number
  /** Kills during the first import, of new watches, if they are another number. */
  readonly firstKills?: number
  readonly rows: number
}

export interface ImportReport {
  /** The number of kills that hit a running import. */
  readonly kills: number
  readonly rows: number
  readonly findings: readonly string[]
}

interface Row {
  readonly brand: string
  readonly reference: string
  readonly price: number
  readonly dial: string
}

const defaults = { kills: 20, rows: 20_000 }
const findingsShown = 5
const lifeMaxMs = 120_000
const spanAtFirstMs = 1_500
/** Attempts per kill: some imports finish before they are killed. */
const triesOfKill = 10

export const importDrill: Drill = {
  description: 'kill -9 during imports and undos: whole or not at all; two importers take turns',
  flags: '--kills 20 --rows 20000 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async (engine) => {
      const startedMs = performance.now()
      const { kills, rows, findings } = await killImports(engine, numbers)
      const seconds = (performance.now() - startedMs) / 1_000
      const lines = [
        `${engine.name}: ${kills} kills during 2 imports of ${rows} rows and an undo, then 2 imports at once, undone: ${findings.length} findings, ${seconds.toFixed(1)} s`,
        ...findings.slice(0, findingsShown).map((one) => `  ${one}`),
      ]
      process.stdout.write(`${lines.join('\n')}\n`)
      return findings.length === 0
    })
  },
}

export async function killImports(engine: DrillEngine, plan: ImportPlan): Promise<ImportReport> {
  const { settings } = engine
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-drill-files-'))
  try {
    await migrated(settings)
    return await killIn(directory, settings, plan)
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

async function killIn(directory: string, settings: Environment, plan: ImportPlan): Promise<ImportReport> {
  const first = makeRows(plan.rows, 1)
  // Every third price differs.
  const second = first.map((row, at) => (at % 3 === 0 ? { ...row, price: row.price + 100 } : row))
  const findings: string[] = []
  let kills = 0
  let spanMs = spanAtFirstMs
  const withKills = async (command: Killed, count = plan.kills) => {
    const told = await killSome(settings, command, { kills: count, spanMs })
    kills += told.kills
    spanMs = told.spanMs
    findings.push(...told.findings)
  }
  const [one, other] = [
    await write(directory, 'first.csv', first),
    await write(directory, 'second.csv', second),
  ]
  await withKills(importing(settings, one), plan.firstKills)
  findings.push(...(await verify(directory, settings, first)))
  const between = await rowsOf(settings)
  await withKills(importing(settings, other))
  findings.push(...(await verify(directory, settings, second)))
  await withKills(undoing(settings, other))
  if ((await rowsOf(settings)) !== between) findings.push('the undo did not restore every row')
  findings.push(...(await importTwice(directory, settings, first)))
  if ((await rowsOf(settings)) !== between) findings.push('the undo of two imports did not restore every row')
  return { kills, rows: plan.rows, findings }
}

/** A command that is killed, and what takes it back if it finished before it could be killed. */
interface Killed {
  start(): Promise<ImportProcess>
  takeBack(): Promise<unknown>
}

function importing(settings: Environment, file: string): Killed {
  return {
    start: async () => ImportProcess.import(settings, file),
    takeBack: async () => ImportProcess.undo(settings, await lastImport(settings)).summary(),
  }
}

function undoing(settings: Environment, file: string): Killed {
  return {
    start: async () => ImportProcess.undo(settings, await lastImport(settings)),
    takeBack: () => ImportProcess.import(settings, file).summary(),
  }
}

/** The last import that changed something and is not undone. */
async function lastImport(settings: Environment): Promise<number> {
  const runs = await withDatabase(settings, ({ reader }) => listRuns(reader, 1_000))
  const changed = (counts: Readonly<Record<string, number>> = {}) =>
    (counts.created ?? 0) + (counts.updated ?? 0)
  const isStanding = ({ state, kind, undone_by, details }: Run) =>
    state === 'done' && kind === 'watches' && undone_by === null && changed(details.counts) > 0
  return runs.find(isStanding)?.id ?? 0
}

/**
 * Kills `kills` runs of a command, then lets one finish. The kills are spread over the duration of the command, which
 * each that finishes tells.
 */
async function killSome(
  settings: Environment,
  { start, takeBack }: Killed,
  { kills, spanMs }: { kills: number; spanMs: number },
) {
  const findings: string[] = []
  let before = await rowsOf(settings)
  let whole: string | undefined
  let hit = 0
  let lastMs = spanMs
  for (let tries = 0; hit < kills && tries < kills * triesOfKill; tries++) {
    const process = await start()
    const startedMs = performance.now()
    const finished = process.summary().then(() => performance.now() - startedMs)
    finished.catch(() => {})
    const tookMs = await Promise.race([finished, delay(Math.random() * lastMs, undefined)])
    if (tookMs !== undefined) lastMs = tookMs
    else if (await process.kill()) hit++
    if (performance.now() - startedMs > lifeMaxMs) throw new Error(`a run took over ${lifeMaxMs} ms`)
    const after = await rowsOf(settings)
    if (after === before) continue
    // It finished, or was killed after its transaction.
    whole ??= withoutTimes(after)
    if (withoutTimes(after) !== whole) findings.push('a killed run left half of itself')
    await takeBack()
    before = await rowsOf(settings)
  }
  const startedMs = performance.now()
  await (await start()).summary()
  lastMs = performance.now() - startedMs
  whole ??= withoutTimes(await rowsOf(settings))
  if (withoutTimes(await rowsOf(settings)) !== whole)
    findings.push('a killed run left another catalogue than a whole one')
  return { kills: hit, findings, spanMs: lastMs }
}

/** Without what differs between two runs of the same import: times, and ids of new rows. */
function withoutTimes(rows: string): string {
  return rows.replace(/"(?:updated_at|date)":"[^"]*"|"(?:id|watch_id|brand_id)":\d+/g, '')
}

/** Every row of the catalogue as one text. */
function rowsOf(settings: Environment): Promise<string> {
  return withDatabase(settings, async (database) => JSON.stringify(await catalogueRows(database)))
}

async function verify(directory: string, settings: Environment, rows: readonly Row[]): Promise<string[]> {
  const file = await write(directory, 'again.csv', rows)
  return withDatabase(settings, async (database) => {
    const again = await importHere(database, file)
    const isSame = again.unchanged === rows.length && again.created + again.updated + again.rejected === 0
    const state = await readState(database)
    const integrity = await checkIntegrity(database)
    return [
      ...(isSame ? [] : [`the same file again changed something: ${JSON.stringify(again)}`]),
      ...findHalfWritten(state),
      ...findGaps(state),
      ...(integrity.isBroken ? [integrity.verdict] : []),
      ...(await compare(database, rows, state)),
    ]
  })
}

/** Imports in this process: this import is not killed. */
function importHere(database: Database, file: string): Promise<ImportSummary> {
  const rejects = new Rejects(`${file}.rejected`, 0)
  const parts = {
    database,
    clock: systemClock,
    rejects,
    onWait() {},
    onFile() {},
    onProgress() {},
    onPublish() {},
  }
  return importWatches({ ...parts, confirmPrune: undefined }, [file], plainImport)
}

/** Checks that each row is stored as a watch exactly once, and that the log contains each change once. */
async function compare(
  database: Database,
  rows: readonly Row[],
  { changes }: CatalogueState,
): Promise<string[]> {
  const watches = await database.reader
    .selectFrom('watches')
    .innerJoin('brands', 'brands.id', 'watches.brand_id')
    .select(['brands.name as brand', 'reference_number as reference'])
    .select(['current_market_price as price', 'specs'])
    .execute()
  const described = ({ brand, reference, price, dial }: Row) => `${brand} ${reference} ${price} ${dial}`
  const wanted = new Set(rows.map(described))
  const found = watches.map(({ specs, ...watch }) => {
    const { dial_color: dial } = JSON.parse(specs)
    return described({ ...watch, price: watch.price ?? 0, dial })
  })
  const findings = found.filter((one) => !wanted.delete(one)).map((one) => `unexpected or duplicate: ${one}`)
  for (const one of wanted) findings.push(`missing: ${one}`)
  const told = new Set<string>()
  for (const { type, subjectId, data } of changes) {
    const text = `${type} ${subjectId} ${JSON.stringify(data)}`
    if (told.has(text)) findings.push(`logged twice: ${text}`)
    told.add(text)
  }
  return findings
}

/** Imports two files of new watches, some of them in both, at the same time, and undoes both. */
async function importTwice(
  directory: string,
  settings: Environment,
  before: readonly Row[],
): Promise<string[]> {
  const count = Math.ceil(before.length / 4)
  const common = makeRows(count, 2)
  const files = await Promise.all(
    [3, 4].map((seed) => write(directory, `both-${seed}.csv`, [...common, ...makeRows(count, seed)])),
  )
  const summaries = await Promise.all(files.map((file) => ImportProcess.import(settings, file).summary()))
  const created = summaries.reduce((sum, summary) => sum + summary.created, 0)
  const state = await withDatabase(settings, (database) => readState(database))
  const wanted = before.length + 3 * count
  const runs = summaries.map(({ run = 0 }) => run).sort((one, other) => other - one)
  await withDatabase(settings, async (database) => {
    for (const run of runs) await undo({ database, clock: systemClock }, run)
  })
  return [
    ...(created === 3 * count ? [] : [`two imports made ${created} watches instead of ${3 * count}`]),
    ...(state.watches.length === wanted ? [] : [`${state.watches.length} watches instead of ${wanted}`]),
    ...findHalfWritten(state),
    ...findGaps(state),
  ]
}

function makeRows(count: number, seed: number): Row[] {
  return Array.from({ length: count }, (_, at) => ({
    brand: `Brand ${at % 7}`,
    reference: `${seed}.${String(at).padStart(6, '0')}`,
    price: 1_000 + ((at * 37 + seed) % 9_000),
    dial: ['Black', 'Blue', 'Silver', 'Green'][at % 4] as string,
  }))
}

async function write(directory: string, name: string, rows: readonly Row[]): Promise<string> {
  const file = path.join(directory, name)
  const lines = rows.map(
    ({ brand, reference, price, dial }) => `${brand},${reference},"USD ${price}",${dial}`,
  )
  await writeFile(file, `Brand,Reference,Price,Dial Colour\n${lines.join('\n')}\n`)
  return file
}

async function migrated(settings: Environment): Promise<void> {
  await withDatabase(settings, (database) => migrate(database, systemClock))
}

async function withDatabase<T>(settings: Environment, work: (database: Database) => Promise<T>): Promise<T> {
  const config = parseConfig({ ...settings, LOG_LEVEL: 'silent' })
  const database = await openDatabase(config, openLog(config))
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
