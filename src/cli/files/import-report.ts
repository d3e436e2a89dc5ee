// Builds the texts of an import: the table of how each column is read, and the summary of the rows.
import type { FileStart, ImportSummary, SampleChange, SpecKind } from '../../imports/import-options.ts'
import { adviseKey, sumCounts } from '../../imports/key-counts.ts'
import {
  cellsMax,
  noReference,
  type OddValues,
  type RejectReason,
  repeatsMax,
  samplesMax,
} from '../../imports/rejects.ts'
import { counted, grouped, indented, shortened, visible, watchCount } from '../catalogue-texts.ts'
import { table, tell } from '../output.ts'
import { mostOften } from './import-outcome.ts'
import { describeMoney } from './money-options.ts'

const readAsMax = 36
const nameMax = 32
const valueMax = 40
/** Columns shown in the table. */
const rowsShown = 200
/** Columns named in the summary. */
const columnsShown = 10
const valueMin = 12
const gaps = 8
const fallbackRule =
  'A column that is read if others are empty keeps a different value as a spec named after the column.'

/** `width` is the width of the terminal. */
export function describeFile(
  { file, format, sheet, encoding, mapping, isExport, preset, notes }: FileStart,
  width: number,
): string {
  const kind = isExport ? 'an export of watchdata' : preset
  const told = `${format.toUpperCase()}${kind === undefined ? '' : `, ${kind}`}${describeSheet(sheet)}${describeEncoding(encoding)}`
  const head = `${visible(file)}: ${told}`
  // The columns of an export are what they are called, except those that somebody added.
  const own = isExport ? mapping.filter(({ column, becomes }) => column !== becomes) : mapping
  // Shops export dozens of columns that are empty.
  const filled = preset === undefined ? own : own.filter(({ example }) => example !== '')
  if (isExport && filled.length === 0) return head
  const cells = filled.map(({ column, becomes, as, example }) => [
    shortened(visible(column), nameMax),
    shortened(visible(becomes), nameMax),
    shortened(as, readAsMax),
    visible(example),
  ])
  const rows = [['column', 'becomes', 'read as', 'for example'], ...cells.slice(0, rowsShown)]
  const further = cells.length - rowsShown
  const taken = [0, 1, 2].reduce(
    (sum, at) => sum + Math.max(...rows.map((row) => row[at]?.length ?? 0)),
    gaps,
  )
  const exampleMax = Math.max(valueMin, Math.min(valueMax, width - taken))
  const cut = rows.map((row) => row.map((cell, at) => (at === 3 ? shortened(cell, exampleMax) : cell)))
  const left = own.length - filled.length
  const unshown = further > 0 ? [`${counted(further, 'more column is', 'more columns are')} not shown.`] : []
  const empty =
    left === 0 ? [] : [`${counted(left, 'more column is', 'more columns are')} empty, or became others.`]
  const rule = mapping.some(({ isFallback }) => isFallback) ? [fallbackRule] : []
  return [head, indented(table(cut)), ...unshown, ...empty, ...rule, ...notes.map(visible)].join('\n')
}

/** Says which sheet of several is read; empty for a file without others. */
function describeSheet(sheet: FileStart['sheet']): string {
  if (sheet === undefined || sheet.others.length === 0) return ''
  const others = sheet.others.map(({ name, isHidden }) => `"${visible(name)}"${isHidden ? ' (hidden)' : ''}`)
  return `, sheet "${visible(sheet.name)}"; not read: ${others.join(', ')}`
}

function describeEncoding(encoding: string | undefined): string {
  return encoding === undefined ? '' : `, read as ${encoding}: if texts look wrong, name another --encoding`
}

/** For commands that print nothing else about a file before they read it. */
export function tellOfFile({
  name,
  sheet,
  encoding,
}: Pick<FileStart, 'sheet' | 'encoding'> & { name: string }): void {
  const told = `${describeSheet(sheet)}${describeEncoding(encoding)}`
  if (told !== '') tell(`${visible(name)}${told}.`)
}

interface SummarySetting {
  readonly isDryRun: boolean
  /** Undefined if only the log of runs keeps what was left out. */
  readonly rejectedFile: string | undefined
  readonly starts: readonly FileStart[]
  readonly hasKey: boolean
  /** The currency of prices without one, if somebody named it. */
  readonly currency: string | undefined
}

export function describeSummary(summary: ImportSummary, setting: SummarySetting): string {
  const { rows, created, updated, unchanged, deleted, rejected, repeated, brandsCreated } = summary
  const { cells, refusedColumns } = summary
  const { isDryRun } = setting
  const would = isDryRun ? 'would be ' : ''
  const counts = [
    `${grouped(created)} ${would}created`,
    `${grouped(updated)} ${would}updated`,
    `${grouped(unchanged)} unchanged`,
    `${grouped(rejected)} rejected`,
    ...(repeated === 0 ? [] : [`${grouped(repeated)} repeated`]),
  ]
  const lines = isDryRun && summary.changes.length > 0 ? [describeChanges(summary), ''] : []
  lines.push(`${counted(rows, 'row', 'rows')}: ${counts.join(', ')}.`, ...describeUnread(summary, setting))
  if (brandsCreated > 0) lines.push(`${counted(brandsCreated, 'brand', 'brands')} ${would}created.`)
  if (deleted > 0) lines.push(`${watchCount(deleted)} that no file has ${would}deleted.`)
  lines.push(
    ...describeMoney(summary.money, setting.currency),
    ...describeReasons(summary.reasons, rejected),
    ...describeRepeats(summary),
    ...describeKey(summary, setting),
  )
  lines.push(
    ...describeCells(summary),
    ...describeOdd(summary),
    ...describePlaceholders(summary),
    ...summary.beside.map(visible),
    ...describeKinds(summary, setting),
  )
  if (rejected + repeated + cells + refusedColumns.length > 0)
    lines.push(...describeRejectedFile(summary, setting))
  if (isDryRun) lines.push('The catalogue was not changed.')
  else if (created + updated + deleted > 0) lines.push(tellUndo(summary.run))
  return lines.join('\n')
}

/** The last line of an import that changed something. */
export function tellUndo(run: number | undefined): string {
  return `This was run ${run}: \`watchdata imports undo ${run}\` takes it back.`
}

/** A price column of which nothing could be read is probably a mistake in the mapping, so it is told first. */
function describeUnread({ unreadPrices, cellReasons }: ImportSummary, { starts }: SummarySetting): string[] {
  const reasonFor = (to: string) => {
    const columns = starts.flatMap(({ mapping }) => mapping.filter(({ becomes }) => becomes === to))
    const names = new Set(columns.map(({ column }) => column))
    return cellReasons.filter(({ column }) => names.has(column ?? ''))
  }
  const texts = starts
    .flatMap(({ unpriced }) => unpriced)
    .map((column) => `the column ${visible(column)} has no price in its first rows, and became a spec.`)
  const prices = unreadPrices.map(
    ({ to, cells }) =>
      `${cells === 1 ? 'the only cell' : `all ${grouped(cells)} cells`} for ${visible(to)} ${cells === 1 ? 'was' : 'were'} left empty.${visible(mostOften(reasonFor(to)))}`,
  )
  return [...texts, ...prices].map((why) => `NO PRICE COULD BE READ: ${why}`)
}

function describeCells({ cells, cellReasons, refusedColumns }: ImportSummary): string[] {
  const was = cells === 1 ? 'was' : 'were'
  const lines =
    cells === 0
      ? []
      : [
          `${counted(cells, 'cell', 'cells')} could not be read and ${was} left empty; an existing watch keeps its value.`,
          ...describeReasons(cellReasons, cells),
        ]
  const columns = refusedColumns.slice(0, columnsShown).map(({ column, reason, count }) => {
    const name = shortened(visible(column ?? ''), nameMax)
    return `The column ${name} was left out, with ${counted(count, 'value', 'values')}: it ${reason}.`
  })
  const more = refusedColumns.length - columns.length
  return [
    ...lines,
    ...columns,
    ...(more > 0 ? [`So were ${counted(more, 'other column', 'other columns')}.`] : []),
  ]
}

/** Completes a sentence about values that are not what their column is read as: one, or several. */
const oddKinds: Readonly<Record<OddValues['as'], readonly [string, string]>> = {
  quantity: [
    'no quantity, so range filters do not find it',
    'no quantity, so range filters do not find them',
  ],
  number: ['no number, so range filters do not find it', 'no number, so range filters do not find them'],
  boolean: ['neither yes nor no and stays as it is', 'neither yes nor no and stay as they are'],
  list: ['no list and stays as it is', 'no list and stay as they are'],
  json: ['no JSON and stays text', 'no JSON and stay text'],
  text: ['no text and stays as it is', 'no text and stay as they are'],
  money: ['no price and leaves it as it is', 'no price and leave it as it is'],
  any: ['', ''],
}

function describeOdd({ oddValues }: ImportSummary): string[] {
  const sorted = oddValues.toSorted((one, other) => other.count - one.count)
  const lines = sorted.slice(0, columnsShown).map(({ to, as, count, samples }) => {
    const why = count === 1 ? `is ${oddKinds[as][0]}` : `are ${oddKinds[as][1]}`
    const shown = samples.map((sample) => shortened(visible(JSON.stringify(sample)), valueMax)).join(', ')
    const more = samples.length === samplesMax && count > samples.length ? ', …' : ''
    return `  ${counted(count, 'value', 'values')} of ${visible(to)} ${why}: ${shown}${more}`
  })
  const left = sorted.length - lines.length
  return left > 0
    ? [...lines, `  The same is true of ${counted(left, 'other column', 'other columns')}.`]
    : lines
}

const kindsRule =
  'If that was not meant: a list is written as ["Date","GMT"], a number without separators as 28800, yes and no as true and false, and text that looks like a number in quotation marks, as "3235".'

function describePlaceholders({ placeholders: { count, samples } }: ImportSummary): string[] {
  if (count === 0) return []
  const words = samples.map((sample) => visible(JSON.stringify(sample))).join(', ')
  return [`  ${counted(count, 'cell', 'cells')} with ${words} ${count === 1 ? 'counts' : 'count'} as empty.`]
}

/** One or several values of a kind. */
const kindNames: Readonly<Record<SpecKind, readonly [string, string]>> = {
  text: ['text', 'text'],
  number: ['a number', 'numbers'],
  boolean: ['true or false', 'true or false'],
  list: ['a list', 'lists'],
  object: ['an object', 'objects'],
  thousandth: ['a thousandth of it', 'thousandths of them'],
}

function describeKinds({ kindChanges }: ImportSummary, { starts }: SummarySetting): string[] {
  const sorted = kindChanges.toSorted((one, other) => other.count - one.count)
  const lines = sorted.slice(0, columnsShown).map(({ to, was, now, count, sample }) => {
    const several = count === 1 ? 0 : 1
    const change = `${several ? 'were' : 'was'} ${kindNames[was][several]} and ${several ? 'become' : 'becomes'} ${kindNames[now][several]}`
    const more = several ? ', …' : ''
    const value = shortened(visible(JSON.stringify(sample)), valueMax)
    return `  ${counted(count, 'value', 'values')} of ${visible(to)} ${change}: ${value}${more}`
  })
  const left = sorted.length - lines.length
  if (left > 0) lines.push(`  So do values of ${counted(left, 'other spec', 'other specs')}.`)
  const isEdited = lines.length > 0 && starts.some(({ isExport }) => isExport)
  return isEdited ? [...lines, kindsRule] : lines
}

function describeRejectedFile(
  { cells, repeated, run }: ImportSummary,
  { rejectedFile }: SummarySetting,
): string[] {
  const parts = [
    ...(repeated > repeatsMax ? [`the first ${grouped(repeatsMax)} of the repeated`] : []),
    ...(cells > cellsMax ? [`the first ${grouped(cellsMax)} of the cells`] : []),
  ]
  const first = parts.length === 0 ? '' : `, ${parts.join(' and ')}`
  return tellRejected(rejectedFile, run, `has the rows and cells that were left out${first}, and why`)
}

/** Names the file of what was left out, or the run that keeps it; nothing for a dry run without such a file. */
export function tellRejected(file: string | undefined, run: number | undefined, what: string): string[] {
  if (file !== undefined) return [`${file} ${what}.`]
  return run === undefined
    ? []
    : [`\`watchdata imports show ${run}\` shows the first rows that were left out, and why.`]
}

/** `all` is the number of rows or cells that have a reason; only the most frequent reasons are shown. */
export function describeReasons(reasons: readonly RejectReason[], all: number): string[] {
  const lines = reasons.map(({ column, reason, count }) => {
    const why = count === 1 ? reason : reason.replace(/^reads (".*?"): (.*)$/s, '$2, for example $1')
    return `  ${grouped(count)} × ${column === undefined ? '' : `${visible(column)}: `}${visible(why)}`
  })
  const left = all - reasons.reduce((sum, { count }) => sum + count, 0)
  return left > 0 ? [...lines, `  ${grouped(left)} for other reasons`] : lines
}

function describeRepeats({ repeated }: ImportSummary): string[] {
  if (repeated === 0) return []
  return ['A repeated row has the same watch as an earlier row of the file: the first one counts.']
}

/** Advises --key only where it would help: for watches that share a reference, or have none. */
function describeKey({ repeated, reasons }: ImportSummary, { starts, hasKey }: SummarySetting): string[] {
  const lacksReferences = reasons.some(({ reason }) => reason === noReference)
  const files = starts.filter(({ isExport }) => !isExport)
  if (hasKey || files.length === 0 || (repeated === 0 && !lacksReferences)) return []
  return [`If each row is a watch of its own: ${adviseKey(sumCounts(files.map(({ keys }) => keys)))}.`]
}

function describeChanges({ changes, updated }: ImportSummary): string {
  const more =
    updated > changes.length ? `The first ${changes.length} of ${grouped(updated)} updates:` : 'Updates:'
  return `${more}\n${indented(table(changes.flatMap(describeChange)))}`
}

function describeChange({ watch, fields }: SampleChange): string[][] {
  const value = (one: unknown) => shortened(visible(JSON.stringify(one)), valueMax)
  return Object.entries(fields).map(([field, change], at) => [
    at === 0 ? visible(watch) : '',
    visible(field),
    `${value(change.old)} → ${value(change.new)}`,
  ])
}
