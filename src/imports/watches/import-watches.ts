// Runs an import of watches: reads the files in batches, writes each batch, prunes if asked to, and returns a summary.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { Failure } from '../../errors.ts'
import { openDraftsInWorker } from '../drafts/drafts-in-worker.ts'
import type { DraftsFile } from '../drafts/open-drafts.ts'
import type {
  FileStart,
  IdentityKey,
  ImportOptions,
  ImportParts,
  ImportSummary,
  SampleChange,
} from '../import-options.ts'
import { countMissing, pruneMissing } from './prune.ts'
import { DraftResolver } from './resolve-drafts.ts'
import { RunBrands } from './run-brands.ts'
import { Trial } from './trial.ts'
import { type WrittenBatch, writeBatch } from './write-batch.ts'

const samplesMax = 10

/** Runs under one catalogue lock: the identities of watches are read at the start and must stay valid. */
export function importWatches(
  parts: ImportParts,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const run = (signal: AbortSignal) => new Import(parts, options, signal).run(files)
  // A dry run writes nothing and needs no lock.
  if (options.isDryRun) return run(new AbortController().signal)
  return withCatalogueLock(parts.database, run, { onWait: parts.onWait })
}

class Import {
  readonly #parts: ImportParts
  readonly #options: ImportOptions
  readonly #signal: AbortSignal
  readonly #count = { rows: 0, created: 0, updated: 0, unchanged: 0, deleted: 0 }
  readonly #changes: SampleChange[] = []
  readonly #trial = new Trial()
  /** The first file that had no watches. */
  #emptyFile: string | undefined
  #pruneRefusal: string | undefined

  constructor(parts: ImportParts, options: ImportOptions, signal: AbortSignal) {
    this.#parts = parts
    this.#options = options
    this.#signal = signal
  }

  async run(paths: readonly string[]): Promise<ImportSummary> {
    const { rejects } = this.#parts
    const { reader } = this.#parts.database
    const brands = new RunBrands(await BrandFinder.read(reader))
    let resolver: DraftResolver | undefined
    try {
      for (const [at, path] of paths.entries()) {
        const file = await openDraftsInWorker(path, this.#options)
        try {
          this.#parts.onFile(file.start)
          requireKey(file.start, this.#options.key)
          // The identities are read only after the first file was opened, so that an unreadable file fails early.
          resolver ??= await DraftResolver.open(reader, brands, this.#options.key ?? 'reference')
          await this.#importFile(file, at + 1, brands, resolver)
        } finally {
          await file.close()
        }
      }
      if (resolver !== undefined) await this.#prune(resolver)
    } finally {
      await rejects.close()
    }
    return {
      ...this.#count,
      rejected: rejects.count,
      reasons: rejects.reasons,
      repeated: rejects.repeats,
      brandsCreated: brands.madeCount,
      pruneRefusal: this.#pruneRefusal,
      changes: this.#changes,
    }
  }

  async #importFile(
    file: DraftsFile,
    number: number,
    brands: RunBrands,
    resolver: DraftResolver,
  ): Promise<void> {
    const { database, clock, rejects, onProgress } = this.#parts
    const { file: name, bytes, isExport } = file.start
    const [options, trial, signal] = [this.#options, this.#trial, this.#signal]
    const writing = { database, clock, brands, resolver, options, trial, signal }
    const rowsBefore = this.#count.rows
    const told = () => this.#count.created + this.#count.updated + this.#count.unchanged
    const toldBefore = told()
    resolver.beginFile(isExport)
    for await (const batch of file.batches()) {
      for (const row of batch.rejects) rejects.add({ file: name, ...row })
      const resolved = await resolver.resolve(database.reader, batch.drafts, { name, number, rejects })
      this.#take(await writeBatch(writing, resolved), brands)
      this.#count.rows = rowsBefore + batch.rows
      onProgress({ file: name, rows: this.#count.rows, bytesRead: batch.bytesRead, bytes })
    }
    if (told() === toldBefore) this.#emptyFile ??= name
  }

  #take({ created, updates, unchanged }: WrittenBatch, brands: RunBrands): void {
    this.#count.created += created
    this.#count.updated += updates.length
    this.#count.unchanged += unchanged
    for (const { row, next, changes } of updates.slice(0, samplesMax - this.#changes.length)) {
      const prices = (['retail_price_usd', 'current_market_price'] as const)
        .filter((field) => row[field] !== next[field])
        .map((field) => [field, { old: row[field], new: next[field] }] as const)
      const watch = `${brands.name(row.brand_id)} ${row.reference_number}`
      const fields = { ...changes.fields, ...Object.fromEntries(prices) }
      this.#changes.push({ id: row.id, watch, fields })
    }
  }

  async #prune(resolver: DraftResolver): Promise<void> {
    const { database, confirmPrune } = this.#parts
    if (confirmPrune === undefined) return
    const count = await countMissing(database.reader, resolver)
    if (count === 0) return
    this.#pruneRefusal = this.#refusePrune()
    if (this.#pruneRefusal === undefined && !this.#options.isDryRun) {
      this.#pruneRefusal = await refusalOf(confirmPrune(count))
    }
    if (this.#pruneRefusal !== undefined) return
    this.#count.deleted = count
    if (!this.#options.isDryRun) await pruneMissing(database, this.#parts.clock, resolver, this.#signal)
  }

  /** Why nothing may be deleted, if so: the watch of a rejected row must not be deleted as missing. */
  #refusePrune(): string | undefined {
    const { count } = this.#parts.rejects
    if (this.#emptyFile !== undefined) return `Nothing is pruned: ${this.#emptyFile} has no watch.`
    if (count === 0) return undefined
    const rows = count === 1 ? '1 row was' : `${count} rows were`
    return `Nothing is pruned: ${rows} rejected, and may be of watches that would be deleted. Fix them first.`
  }
}

/** Turns a Failure into a message, so that the summary of the imported watches is still shown. */
function refusalOf(confirmed: Promise<void>): Promise<string | undefined> {
  return confirmed.then(
    () => undefined,
    (error) => {
      if (error instanceof Failure) return error.message
      throw error
    },
  )
}

/** Fails once for the file, instead of rejecting every row. */
function requireKey({ file, mapping, isExport }: FileStart, key: IdentityKey | undefined): void {
  if (isExport || typeof key !== 'object') return
  const targets = mapping.map(({ becomes }) => becomes)
  if (targets.includes(`specs.${key.spec}`)) return
  const near = targets.find((target) => target.toLowerCase() === `specs.${key.spec}`.toLowerCase())
  const hint = near === undefined ? '' : `: did you mean --key ${near.slice('specs.'.length)}?`
  throw new Failure(`${file} has no column that becomes specs.${key.spec}, which --key names${hint || '.'}`)
}
