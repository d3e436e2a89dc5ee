// Reads the sample catalogue, real references from catalogue/, and loads it into an empty database.
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { NewChange } from '../changes/log.ts'
import type { Clock } from '../clock.ts'
import { packageRoot } from '../config.ts'
import type { Tx } from '../storage/database.ts'
import { type BrandDraft, createBrand } from './brands.ts'
import { createWatch, type WatchDraft } from './watches.ts'

/** A line of watches.ndjson: a watch with the name of its brand, and the year of its prices. */
interface SampleWatch extends Omit<WatchDraft, 'brand_id'> {
  readonly brand: string
  readonly as_of: number
}

export interface Sample {
  readonly brands: BrandDraft[]
  readonly watches: SampleWatch[]
}

const sampleDir = path.join(packageRoot, 'catalogue')

export async function readSample(): Promise<Sample> {
  return {
    brands: await readLines<BrandDraft>('brands.ndjson'),
    watches: await readLines<SampleWatch>('watches.ndjson'),
  }
}

/** Writes brands and watches within the caller's transaction: all of them or none. */
export async function loadSample(
  tx: Tx,
  clock: Clock,
  record: (change: NewChange) => void,
  sample: Sample,
): Promise<void> {
  const brandIds = new Map<string, number>()
  for (const brand of sample.brands) brandIds.set(brand.name, await createBrand(tx, clock, record, brand))
  for (const { brand, as_of, ...draft } of sample.watches) {
    const brand_id = brandIds.get(brand)
    if (brand_id === undefined) throw new Error(`the sample has no brand ${brand}`)
    await createWatch(tx, clock, record, { ...draft, brand_id }, { date: `${as_of}-01-01`, source: 'sample' })
  }
}

async function readLines<T>(file: string): Promise<T[]> {
  const text = await readFile(path.join(sampleDir, file), 'utf8')
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}
