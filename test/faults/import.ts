// The drill "a rerun after kill -9 during an import ends right": kills imports at random moments and reruns them,
// first of new watches, then of new prices; then runs two imports at once, which take turns. The catalogue must be
// what one uninterrupted import would have made, and the log must contain each change once.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { systemClock } from '../../src/clock.ts'
import { type Environment, parseConfig } from '../../src/config.ts'
import type { ImportSummary } from '../../src/imports/import-options.ts'
import { Rejects } from '../../src/imports/rejects.ts'
import { importWatches } from '../../src/imports/watches/import-watches.ts'
import { openLog } from '../../src/log.ts'
import type { Database } from '../../src/storage/database.ts'
import { migrate } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { plainImport } from '../catalogue/plain-import.ts'
import { type CatalogueState, readState } from './catalogue-state.ts'
import type { Drill } from './drill.ts'
import { type DrillEngine, onEachEngine } from './drill-engines.ts'
import { parseFlags } from './flags.ts'
import { checkIntegrity } from './integrity.ts'
import { ImportProcess } from './processes/import-process.ts'
import { findGaps, findHalfWritten } from './verify-state.ts'

export interface ImportPlan {
  /** Kills during each of the two imports. */
  readonly kills: number
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
const spanMoreMs = 300
/** Attempts per kill: some imports finish before they are killed. */
const triesOfKill = 10

export const importDrill: Drill = {
  description: 'kill -9 during imports: a rerun ends right; two importers take turns',
  flags: '--kills 20 --rows 20000 --engine sqlite|postgres (default both)',
  run(flags) {
    const { numbers, engines } = parseFlags(flags, defaults)
    return onEachEngine(engines, async (engine) => {
      const startedMs = performance.now()
      const { kills, rows, findings } = await killImports(engine, numbers)
      const seconds = (performance.now() - startedMs) / 1_000
      const lines = [
        `${engine.name}: ${kills} kills during 2 imports of ${rows} rows, then 2 imports at once: ${findings.length} findings, ${seconds.toFixed(1)} s`,
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
  const firstKills = await importWithKills(settings, await write(directory, 'first.csv', first), plan.kills)
  findings.push(...(await verify(directory, settings, first)))
  const secondKills = await importWithKills(
    settings,
    await write(directory, 'second.csv', second),
    plan.kills,
  )
  findings.push(...(await verify(directory, settings, second)))
  findings.push(...(await importTwice(directory, settings, second)))
  return { kills: firstKills + secondKills, rows: plan.rows, findings }
}

/**
 * Kills `kills` imports of the file, then lets one finish. The kills are spread over the duration of an import: an
 * import that finished before its kill tells that duration; after a kill that hit, the span grows.
 */
async function importWithKills(settings: Environment, file: string, kills: number): Promise<number> {
  let hit = 0
  let spanMs = spanAtFirstMs
  for (let tries = 0; hit < kills && tries < kills * triesOfKill; tries++) {
    const startedMs = performance.now()
    const process = new ImportProcess(settings, file)
    const isDone = await Promise.race([
      process.summary().then(() => true),
      delay(Math.random() * spanMs, false),
    ])
    if (isDone) spanMs = performance.now() - startedMs
    else if (await process.kill()) {
      hit++
      spanMs += spanMoreMs
    }
    if (performance.now() - startedMs > lifeMaxMs) throw new Error(`an import took over ${lifeMaxMs} ms`)
  }
  await new ImportProcess(settings, file).summary()
  return hit
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
  const parts = { database, clock: systemClock, rejects, onWait() {}, onFile() {}, onProgress() {} }
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

/** Imports two files of new watches, some of them in both, at the same time. */
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
  const summaries = await Promise.all(files.map((file) => new ImportProcess(settings, file).summary()))
  const created = summaries.reduce((sum, summary) => sum + summary.created, 0)
  const state = await withDatabase(settings, (database) => readState(database))
  const wanted = before.length + 3 * count
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
