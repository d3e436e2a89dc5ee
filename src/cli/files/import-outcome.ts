// Decides from the summary of an import whether it counts as failed, and builds the sentences about it for operators who
// have not seen the summary.
import type { ImportSummary } from '../../imports/import-options.ts'
import type { PriceImportSummary } from '../../imports/prices/import-prices.ts'
import type { RejectReason } from '../../imports/rejects.ts'
import { counted, grouped } from '../catalogue-texts.ts'

/** What came of an import that ran to its end, as sentences; undefined for what is not the case. */
export interface ImportOutcome {
  /** Undefined in a dry run. */
  readonly run: number | undefined
  /** Why nothing was imported. */
  readonly nothing?: string | undefined
  /** A file has prices, and none of them could be read. */
  readonly unread?: string | undefined
  /** Why watches that the files do not have were not deleted. */
  readonly unpruned?: string | undefined
}

export function outcomeOf(summary: ImportSummary): ImportOutcome {
  const { run, rows, created, updated, unchanged, reasons, unreadPrices, cellReasons } = summary
  const isNothing = created + updated + unchanged === 0
  const cells = unreadPrices.map(({ to, cells: count }) => `${counted(count, 'cell', 'cells')} for ${to}`)
  return {
    run,
    nothing: isNothing ? nothingOf(rows, reasons) : undefined,
    unread:
      cells.length === 0
        ? undefined
        : `No price could be read: ${cells.join(' and ')} stayed empty.${mostOften(cellReasons)}`,
    unpruned: summary.pruneRefusal,
  }
}

export function outcomeOfPrices({ run, rows, added, changed, same, rejected, reasons }: PriceImportSummary) {
  const isNothing = added + changed + same === 0 && rejected > 0
  return { run, nothing: isNothing ? nothingOf(rows, reasons) : undefined } satisfies ImportOutcome
}

function nothingOf(rows: number, reasons: readonly RejectReason[]): string {
  if (rows === 0) return 'The file has no rows.'
  const what = rows === 1 ? 'The only row was' : `All ${grouped(rows)} rows were`
  return `${what} rejected.${mostOften(reasons)}`
}

export function mostOften([most]: readonly RejectReason[]): string {
  if (most === undefined) return ''
  const { column, reason } = most
  return ` Most often: ${column === undefined ? '' : `${column}: `}${reason.replace(/\.$/, '')}.`
}
