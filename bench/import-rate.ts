// `npm run bench -- import`: measures the rate of an import, compared with bare prepared inserts of the same rows in
// the same run, whether its peak memory depends on the size of the file, and the peak memory of a workbook.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { openRecords } from '../src/files/open-records.ts'
import { BadFlags, parseFlags } from '../test/faults/flags.ts'
import { type WrittenCell, workbookFile } from '../test/files/write-xlsx.ts'
import { writeWatchFiles } from './catalogues/generated-files.ts'
import { medianOf } from './measure/load.ts'
import { BenchProcess } from './measure/processes.ts'
import { atLeast, atMost, type Figure, printReport, tellStep } from './measure/report.ts'

interface Imported {
  readonly ms: number
  readonly peakBytes: number
}

const targetRatio = 0.5
const defaults = { rows: 1_000_000, rounds: 3 }
/** The small file has a tenth of the rows; importing it should need about as much memory. */
const smallShare = 10
/** Rows of the workbook, and the memory that the whole process may use to import it. */
const workbookRows = 200_000
const workbookPeakMb = 400
const runMaxMs = 600_000
const lookMs = 100
/** The batch size of an import. */
const transactionRows = 1_000
const root = path.resolve(import.meta.dirname, '..')
const bare = fileURLToPath(new URL('./baselines/bare-inserts.ts', import.meta.url))

export async function benchImportRate(flags: string[]): Promise<void> {
  try {
    const { rows, rounds } = parseFlags(flags, defaults).numbers
    await bench(rows, rounds)
  } catch (error) {
    if (!(error instanceof BadFlags)) throw error
    process.stderr.write(`${error.message}\n\nUsage: npm run bench -- import --rows 1000000 --rounds 3\n`)
    process.exitCode = 2
  }
}

async function bench(rows: number, rounds: number): Promise<void> {
  const runDir = mkdtempSync(path.join(tmpdir(), 'watchdata-bench-'))
  process.on('exit', () => rmSync(runDir, { recursive: true, force: true }))
  tellStep(`writing ${rows} rows as CSV and NDJSON …`)
  const [csv, ndjson] = [path.join(runDir, 'watches.csv'), path.join(runDir, 'watches.ndjson')]
  await writeWatchFiles({ first: 1, rows, csv, ndjson })
  const small = path.join(runDir, 'small.csv')
  await writeWatchFiles({ first: 1, rows: Math.ceil(rows / smallShare), csv: small })

  const ratios: Record<'CSV' | 'NDJSON', number[]> = { CSV: [], NDJSON: [] }
  const told: string[] = []
  let peakBytes = 0
  for (let round = 1; round <= rounds; round++) {
    const bareMs = await inFreshDir(runDir, (dataDir) => insertBare(dataDir, ndjson))
    const fromCsv = await inFreshDir(runDir, (dataDir) => importFile(dataDir, csv, rows))
    const fromNdjson = await inFreshDir(runDir, (dataDir) => importFile(dataDir, ndjson, rows))
    ratios.CSV.push(bareMs / fromCsv.ms)
    ratios.NDJSON.push(bareMs / fromNdjson.ms)
    peakBytes = Math.max(peakBytes, fromCsv.peakBytes)
    told.push(
      `bare ${perSecond(rows, bareMs)}, CSV ${perSecond(rows, fromCsv.ms)}, NDJSON ${perSecond(rows, fromNdjson.ms)}`,
    )
    tellStep(`  round ${round}: ${told.at(-1)}; CSV peak ${megabytes(fromCsv.peakBytes)}`)
  }
  const smallPeak = (
    await inFreshDir(runDir, (dataDir) => importFile(dataDir, small, Math.ceil(rows / smallShare)))
  ).peakBytes
  const bookRows = Math.min(rows, workbookRows)
  tellStep(`writing ${bookRows} rows as XLSX …`)
  const book = path.join(runDir, 'watches.xlsx')
  await writeWatchFiles({ first: 1, rows: bookRows, csv: small })
  await writeWorkbook(small, book)
  const fromBook = await inFreshDir(runDir, (dataDir) => importFile(dataDir, book, bookRows))
  const figures: Figure[] = (['CSV', 'NDJSON'] as const).map((format) => ({
    name: `import of ${format} / bare prepared inserts`,
    ...atLeast(medianOf(ratios[format]), targetRatio),
    details: told.at(-1) ?? '',
  }))
  figures.push({
    name: `peak memory of ${rows} rows / of a tenth of them`,
    ...atMost(peakBytes / smallPeak, undefined, '×'),
    details: `${megabytes(peakBytes)}; ${megabytes(smallPeak)}`,
  })
  figures.push({
    name: `peak memory of ${bookRows} rows of XLSX`,
    ...atMost(fromBook.peakBytes / 1e6, workbookPeakMb, 'MB'),
    details: perSecond(bookRows, fromBook.ms),
  })
  if (!printReport(figures, [])) process.exitCode = 1
}

/** Cells that look like numbers become numbers, as in a spreadsheet. */
async function writeWorkbook(csv: string, file: string): Promise<void> {
  const rows: WrittenCell[][] = []
  for await (const { columns, records } of (await openRecords(csv, {})).batches()) {
    if (rows.length === 0) rows.push([...columns])
    for (const { cells } of records) rows.push(cells.map(writtenCell))
  }
  writeFileSync(file, workbookFile([{ name: 'Watches', rows }]))
}

function writtenCell(cell: unknown): WrittenCell {
  const text = String(cell)
  if (text === '') return null
  return String(Number(text)) === text ? Number(text) : text
}

async function insertBare(dataDir: string, ndjson: string): Promise<number> {
  const child = new BenchProcess([process.execPath, bare, dataDir, ndjson, String(transactionRows)], {
    core: 'any',
    maxMs: runMaxMs,
  })
  return Number(await child.end())
}

/** Times the whole command, including the start of the process. */
async function importFile(dataDir: string, file: string, rows: number): Promise<Imported> {
  const startedMs = performance.now()
  const child = new BenchProcess(
    [path.join(root, 'bin/watchdata'), 'import', file, '--json', '--rejected', `${file}.rejected`],
    { core: 'any', maxMs: runMaxMs, env: { DATA_DIR: dataDir } },
  )
  let peakBytes = 0
  const timer = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(child.pid))
  }, lookMs)
  try {
    const { created } = JSON.parse(await child.end())
    if (created !== rows) throw new Error(`${file} created ${created} watches instead of ${rows}`)
    return { ms: performance.now() - startedMs, peakBytes }
  } finally {
    clearInterval(timer)
  }
}

function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
  } catch {
    return 0
  }
}

async function inFreshDir<T>(runDir: string, work: (dataDir: string) => Promise<T>): Promise<T> {
  const dataDir = path.join(runDir, 'data')
  mkdirSync(dataDir, { recursive: true })
  try {
    const migrate = new BenchProcess([path.join(root, 'bin/watchdata'), 'migrate'], {
      core: 'any',
      maxMs: runMaxMs,
      env: { DATA_DIR: dataDir },
    })
    await migrate.end()
    return await work(dataDir)
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function perSecond(rows: number, ms: number): string {
  return `${Math.round(rows / (ms / 1000)).toLocaleString('en-US')}/s`
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(0)} MB`
}
