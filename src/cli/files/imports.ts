// `watchdata imports list`, `show` and `undo`: the log of imports, and how to take one back.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { findRun, listRuns, operatorName, type Run, type RunFile } from '../../catalogue/runs/run-log.ts'
import { type UndoSummary, undoRun } from '../../catalogue/runs/undo-run.ts'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { tellOfWaiting, tellProgress } from '../catalogue-care.ts'
import {
  counted,
  grouped,
  indented,
  moment,
  shortened,
  visible,
  visibleLines,
  watchCount,
} from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { lowerPriority } from '../file-options.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { describeReasons } from './import-report.ts'

const filesWidth = 40
const toldMax = 10
const head = ['run', 'started', 'what', 'state', 'created', 'updated', 'deleted', 'rejected', 'by', 'files']

export async function listCommand({ json, limit }: CommonOptions & { limit: number }): Promise<void> {
  const found = await withCurrentDatabase(({ reader }) => listRuns(reader, limit + 1))
  const runs = found.slice(0, limit)
  if (json) printJson(runs.map(summaryOf))
  else if (runs.length === 0) print('Nothing was imported yet.')
  else print(table([head, ...runs.map(rowOf)], [0, 4, 5, 6, 7]))
  if (!json && found.length > limit) print(`Older runs are listed with --limit ${limit * 5}.`)
}

export async function showCommand(raw: string, { json }: CommonOptions): Promise<void> {
  const id = parseRun(raw)
  const run = await withCurrentDatabase(({ reader }) => findRun(reader, id))
  if (run === undefined)
    throw new Failure(`There is no run ${id}: \`watchdata imports list\` shows the runs.`)
  const { partlyUndoneBy: _, isLeftForLater: __, ...details } = run.details
  if (json) printJson({ ...summaryOf(run), ...details })
  else print(describeRun(run))
}

interface UndoCommandOptions extends CommonOptions {
  readonly dryRun?: boolean
}

export async function undoCommand(
  raw: string,
  { json = false, dryRun = false }: UndoCommandOptions,
): Promise<void> {
  const id = parseRun(raw)
  lowerPriority()
  const summary = await withCurrentDatabase((database) => {
    const { onProgress, clear } = tellProgress(`undoing run ${id}`, json)
    const work = (signal: AbortSignal) => {
      const parts = { database, clock: systemClock, signal, who: operatorName() }
      return undoRun(parts, id, { isDryRun: dryRun, onProgress }).finally(clear)
    }
    // A dry run writes nothing and needs no lock.
    if (dryRun) return work(new AbortController().signal)
    return withCatalogueLock(database, work, { onWait: tellOfWaiting })
  })
  const { leftAlone: left_alone, ...counts } = summary
  if (json) printJson({ ...counts, left_alone, dry_run: dryRun })
  else print(describeUndo(summary, dryRun))
}

function parseRun(raw: string): number {
  if (!/^[1-9]\d{0,14}$/.test(raw)) throw new Failure(`${raw} is not the number of a run.`)
  return Number(raw)
}

function summaryOf({ details, ...run }: Run) {
  const { files = [], counts = {}, undoes = null, partlyUndoneBy: partly_undone_by = null } = details
  return { ...run, partly_undone_by, undoes, counts, files: files.map(({ mapping: _, ...file }) => file) }
}

function rowOf(run: Run): string[] {
  const { files = [], undoes } = run.details
  const counts = countsOf(run)
  // An import of prices counts lines of the history.
  const count = (...names: string[]) => grouped(names.reduce((sum, name) => sum + (counts[name] ?? 0), 0))
  return [
    String(run.id),
    moment(run.started_at),
    undoes === undefined ? run.kind : `undo of ${undoes}`,
    stateOf(run),
    count('created', 'added', 'recreated'),
    count('updated', 'changed', 'restored'),
    count('deleted'),
    count('rejected'),
    visible(run.who),
    shortened(visible(files.map(({ name }) => name).join(', ')), filesWidth),
  ]
}

/** What a run that was stopped had read is not in the catalogue, unless it was written in batches. */
function countsOf({ state, details }: Run): Readonly<Record<string, number>> {
  const { counts = {}, batches } = details
  return state === 'done' || batches !== undefined ? counts : { rejected: counts.rejected ?? 0 }
}

function stateOf({ state, undone_by, details }: Run): string {
  if (undone_by !== null) return `undone by ${undone_by}`
  if (details.partlyUndoneBy !== undefined) return `partly undone by ${details.partlyUndoneBy}`
  return state === 'done' && hasOnlyRejects(details) ? 'nothing imported' : state
}

/** Whether every row was rejected: the run is done, but nothing came of it. */
function hasOnlyRejects({ counts = {} }: Run['details']): boolean {
  const read = ['created', 'updated', 'unchanged', 'deleted', 'added', 'changed', 'same']
  return (counts.rejected ?? 0) > 0 && read.every((name) => (counts[name] ?? 0) === 0)
}

function describeRun(run: Run): string {
  const { files = [], options = {}, rejects = [], error, undoes, cell_reasons = [] } = run.details
  const what = undoes === undefined ? `import of ${run.kind}` : `undo of run ${undoes}`
  const ended = run.ended_at === null ? '' : ` to ${moment(run.ended_at)}`
  const lines = [
    `Run ${run.id}: ${what}, ${stateOf(run)}`,
    table([
      ['  by', visible(run.who)],
      ['  when', `${moment(run.started_at)}${ended}`],
      ...files.flatMap(({ name, format, bytes, sha256 }) => [
        ['  file', `${visible(name)}${aboutFile({ format, bytes })}`],
        ['  sha256', sha256 ?? 'not read to its end'],
      ]),
      ...Object.entries(options).map(([name, value]) => [
        `  ${name.replaceAll('_', ' ')}`,
        visible(String(value)),
      ]),
      ...Object.entries(countsOf(run)).map(([name, count]) => [
        `  ${name.replaceAll('_', ' ')}`,
        grouped(count),
      ]),
    ]),
  ]
  if (error !== undefined) lines.push(`  ${visibleLines(error)}`)
  for (const { name, mapping } of files) {
    if (mapping === undefined) continue
    lines.push(`The mapping of ${visible(name)}:`, indented(visible(JSON.stringify(mapping))))
  }
  if (cell_reasons.length > 0) {
    lines.push('Cells that were left empty, most often:', ...describeReasons(cell_reasons, 0))
  }
  if (rejects.length > 0) {
    const rest = rejects.length > toldMax ? ` (the first ${toldMax}; --json has more)` : ''
    lines.push(`Rejected rows${rest}:`)
    lines.push(...rejects.slice(0, toldMax).map((row) => indented(visible(JSON.stringify(row)))))
  }
  return lines.join('\n')
}

/** Nothing if the file was refused, or the process ended before it was opened. */
function aboutFile({ format, bytes }: Pick<RunFile, 'format' | 'bytes'>): string {
  if (format === undefined) return ''
  return bytes === undefined ? ` (${format})` : ` (${format}, ${grouped(bytes)} bytes)`
}

function describeUndo(summary: UndoSummary, isDryRun: boolean): string {
  const { run, undoes, restored, deleted, recreated, prices, brands, brands_kept, left } = summary
  const { leftAlone, later_runs } = summary
  const would = isDryRun ? 'would be ' : ''
  const parts = [
    `${watchCount(restored)} ${would}restored`,
    `${grouped(deleted)} ${would}deleted`,
    `${grouped(recreated)} ${would}created again`,
    `${counted(prices, 'line', 'lines')} of the price history and ${counted(brands, 'brand', 'brands')} ${would}as before`,
  ]
  const isPart = left + brands_kept > 0
  const done = isDryRun ? '' : ` is ${isPart ? 'partly ' : ''}undone, by run ${run}`
  const lines = [`Run ${undoes}${done}: ${parts.join(', ')}.`]
  if (brands_kept > 0) {
    const [stay, them] = brands_kept === 1 ? ['brand stays', 'it'] : ['brands stay', 'them']
    lines.push(`${grouped(brands_kept)} ${stay}: the catalogue still has watches of ${them}.`)
  }
  if (left > 0) {
    const more = left > toldMax ? `, the first ${toldMax} of them` : ''
    lines.push(`${counted(left, 'thing was', 'things were')} changed after the run, and left${more}:`)
    lines.push(
      ...leftAlone.slice(0, toldMax).map(({ what, why }) => indented(`${visible(what)}: ${visible(why)}`)),
    )
  }
  if (isPart && later_runs.length > 0) {
    const runs = later_runs.length === 1 ? `Run ${later_runs[0]}` : `Runs ${later_runs.join(', ')}`
    lines.push(
      `${runs} changed some of it, or said the same prices again. To undo the rest, undo the newest of them first, and run ${undoes} again at the end.`,
    )
  } else if (isPart && !isDryRun)
    lines.push(
      `Something else than an import changed it, so it stays. If that is changed back, \`watchdata imports undo ${undoes}\` undoes the rest.`,
    )
  const [first] = summary.waiting
  if (first !== undefined && !isDryRun)
    lines.push(
      `Run ${first} was undone only in part, because later runs had changed the rest: \`watchdata imports undo ${first}\` undoes that now.`,
    )
  if (isDryRun) lines.push('Nothing was written.')
  return lines.join('\n')
}
