// Writes generated watches as import files: a CSV with many columns, as an operator would have it, and NDJSON.
import { once } from 'node:events'
import { createWriteStream, type WriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { generateBrands } from './generated-brands.ts'
import { type GeneratedWatch, watchGenerator } from './generated-watch.ts'

interface FilesPlan {
  /** Id of the first watch. */
  readonly first: number
  readonly rows: number
  readonly csv: string
  readonly ndjson?: string
}

const chunkRows = 1_000

/** Writes the rows as CSV and, if `ndjson` is given, the same rows as NDJSON. */
export async function writeWatchFiles({ first, rows, csv, ndjson }: FilesPlan): Promise<void> {
  const watchAt = watchGenerator(await generateBrands())
  const keys = specKeys(watchAt)
  const table = createWriteStream(csv)
  const lines = ndjson === undefined ? undefined : createWriteStream(ndjson)
  table.write(`${['Brand', 'Collection', 'Reference', 'MSRP', 'Market Price', ...keys].join()}\n`)
  const end = first + rows
  for (let start = first; start < end; start += chunkRows) {
    const watches = Array.from({ length: Math.min(chunkRows, end - start) }, (_, at) => watchAt(start + at))
    const rowsText = watches.map((watch) => `${cellsOf(watch, keys).map(quote).join()}\n`).join('')
    const linesText = watches.map((watch) => `${JSON.stringify(lineOf(watch))}\n`).join('')
    await Promise.all([put(table, rowsText), ...(lines === undefined ? [] : [put(lines, linesText)])])
  }
  table.end()
  lines?.end()
  await Promise.all([finished(table), ...(lines === undefined ? [] : [finished(lines)])])
}

async function put(stream: WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}

/** The spec keys of the first 10,000 watches: every key occurs among them. */
function specKeys(watchAt: (id: number) => GeneratedWatch): string[] {
  const keys = new Set<string>()
  for (let id = 1; id <= 10_000; id++) for (const key of Object.keys(watchAt(id).specs)) keys.add(key)
  return [...keys]
}

function cellsOf(watch: GeneratedWatch, keys: readonly string[]): string[] {
  const { brand, collection, reference_number, retail_price_usd, current_market_price, specs } = watch
  const prices = [retail_price_usd, current_market_price].map((price) =>
    price === null ? '' : String(price),
  )
  const values = keys.map((key) => {
    const value = specs[key]
    if (value === undefined) return ''
    return typeof value === 'object' ? JSON.stringify(value) : String(value)
  })
  return [brand, collection, reference_number, ...prices, ...values]
}

function lineOf({ brand, collection, reference_number, ...watch }: GeneratedWatch): object {
  const { retail_price_usd, current_market_price, specs } = watch
  return { brand, collection, reference_number, retail_price_usd, current_market_price, specs }
}

function quote(cell: string): string {
  return /[",\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}
