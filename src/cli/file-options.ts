// Parses the options that the import commands share, and lowers the priority of the process.
import os from 'node:os'
import { exportSource, findSourceFault } from '../catalogue/prices.ts'
import { Failure } from '../errors.ts'
import type { ReadOptions } from '../files/records.ts'
import type { CommonOptions } from './output.ts'

export interface FileOptions {
  readonly delimiter?: string
  readonly encoding?: string
  readonly format?: string
  readonly sheet?: string
  /** Path → the address from which the file was downloaded. */
  readonly names?: Readonly<Record<string, string>>
  /** Who imports, if not the user who runs the command. */
  readonly who?: string
}

export function readOptionsOf({ delimiter, encoding, format, sheet, names }: FileOptions): ReadOptions {
  return {
    names,
    // A tab is hard to type in a shell.
    delimiter: delimiter === '\\t' ? '\t' : delimiter,
    encoding,
    sheet,
    format: format as ReadOptions['format'],
  }
}

/** `EUR=1.08` */
export function parseRate(raw: string): [currency: string, usd: number] {
  const [, currency = '', rate = ''] = /^([A-Za-z]{3})=(\d+(?:\.\d+)?)$/.exec(raw) ?? []
  if (Number(rate) > 0) return [currency.toUpperCase(), Number(rate)]
  throw new Failure(`--rate ${raw} cannot be read: write it like --rate EUR=1.08, US dollars for one euro.`)
}

/** Checks --source by the same rules as sources in files. */
export function parseSource(raw: string): string {
  const source = raw.trim()
  if (source === '')
    throw new Failure('--source is empty: name the source of the prices, such as --source auction.')
  if (source === exportSource) {
    throw new Failure(`--source ${exportSource} is reserved for exports: give it another name.`)
  }
  const fault = findSourceFault(source)
  if (fault !== undefined) throw new Failure(`--source ${fault}: give it a shorter or a plainer name.`)
  return source
}

/** Lowers the priority of this process, so that a running service is not slowed down by an import. */
export function lowerPriority(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW)
  } catch {
    // If that is not allowed, the process keeps its normal priority.
  }
}

export interface ImportCommandOptions extends CommonOptions, FileOptions {
  readonly of: 'watches' | 'brands'
  readonly map?: string
  readonly suggestMap?: boolean
  readonly key?: string
  readonly brand?: string
  readonly brandHeadings?: boolean
  /** True for the column that is named like a title. */
  readonly resolve?: string | true
  readonly rate: readonly string[]
  readonly currency?: string
  readonly source: string
  readonly strict?: boolean
  readonly replace?: boolean
  readonly inBatches?: boolean
  readonly dryRun?: boolean
  readonly prune?: boolean
  readonly yes?: boolean
  readonly maxErrors: number
  readonly rejected: string
}
