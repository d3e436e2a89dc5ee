// Decides how the columns of a file of prices are read, as far as its records have shown them, and names those that are
// not read.
import type { RecordBatch } from '../../files/records.ts'
import { findDecimalSign } from '../cells/decimal-sign.ts'
import { emptySample, sampleColumns, textsOf } from '../mapping/sample-columns.ts'
import type { ColumnRole, PriceKind } from './column-roles.ts'
import { type PriceColumn, type PriceLayout, readRole, refuseTwice } from './price-columns.ts'
import { isKindColumn } from './price-kind.ts'

/** Names of columns that a note lists. */
const namesTold = 8

/** Adds those columns of the batch that are new: any record of a JSON file may have some. Returns a note of the unread. */
export function addColumns(
  file: string,
  batch: Pick<RecordBatch, 'columns' | 'records'>,
  columns: PriceColumn[],
  layout: PriceLayout,
  { as, currency }: { readonly as: PriceKind; readonly currency: string | undefined },
): string | undefined {
  const first = columns.length
  const samples = sampleColumns(batch.columns.length, batch.records)
  const roles = batch.columns.map((name, at) => columns[at]?.role ?? readRole(name, layout, as))
  for (const [at, name] of batch.columns.entries()) {
    if (at < first) continue
    const sample = samples[at] ?? emptySample
    const mayBeKind = layout.hasOpenKind && !roles.some(({ is }) => is === 'kind')
    const isFree = roles[at]?.is === 'nothing' || roles[at]?.is === 'watch'
    if (mayBeKind && isFree && isKindColumn(name, sample)) roles[at] = { is: 'kind' }
    const role = roles[at] as ColumnRole
    columns.push({ name, role, decimal: findDecimalSign(textsOf(sample)), currency })
  }
  refuseTwice(file, batch.columns, roles)
  return noteOfUnread(file, columns.slice(first), layout)
}

function noteOfUnread(
  file: string,
  columns: readonly PriceColumn[],
  { rows }: PriceLayout,
): string | undefined {
  const names = columns.flatMap(({ name, role }) => (role.is === 'nothing' ? [name] : []))
  if (names.length === 0) return undefined
  const more = names.length > namesTold ? ` and ${names.length - namesTold} more` : ''
  const told = `${names.slice(0, namesTold).join(', ')}${more}`
  const why = rows === 'watches' ? ' Their names are no days.' : ''
  return `Columns of ${file} that are not read: ${told}.${why}`
}
