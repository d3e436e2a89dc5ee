// Runs an import of watches: reads the files in batches, stages what they change, prunes if asked to, makes all of it
// visible at once, and returns a summary.
import { withCatalogueLock } from '../../catalogue/catalogue-lock.ts'
import { BrandFinder } from '../../catalogue/find-brand.ts'
import { OpenRun } from '../../catalogue/runs/open-run.ts'
import type { RunDetails, RunFile } from '../../catalogue/runs/run-log.ts'
import { Failure } from '../../errors.ts'
import { MoneyCounter, type MoneyUse } from '../cells/rates.ts'
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
import { KindChanges } from './kind-changes.ts'
import { countMissing, pruneMissing } from './prune.ts'
import { DraftResolver } from './resolve-drafts.ts'
import { RunBrands } from './run-brands.ts'
import { type StagedBatch, stageBatch } from './stage-batch.ts'

const samplesMax = 10

/** Runs under one catalogue lock: the identities of watches are read at the start and must stay valid. */
export function importWatches(
  parts: ImportParts,
  files: readonly string[],
  options: ImportOptions,
): Promise<ImportSummary> {
  const work = async (signal: AbortSignal) => {
    const { database, clock } = parts
    const known = { files: files.map((path) => ({ name: options.read.names?.[path] ?? path })) }
    const run = await OpenRun.begin(
      { database, clock, signal, who: options.who, known },
      'watches',
      options.isDryRun,
    )
    try {
      return await new Import(parts, options, run).import(files)
    } finally {
      run.close()
    }
  }
  // A dry run writes nothing and needs no lock.
  if (options.isDryRun) return work(new AbortController().signal)
  return withCatalogueLock(parts.database, work, { onWait: parts.onWait })
}

class Import {
  readonly #parts: ImportParts
  readonly #options: ImportOptions
  readonly #run: OpenRun
  readonly #count = { rows: 0, created: 0, updated: 0, unchanged: 0, deleted: 0 }
  readonly #files: RunFile[] = []
  readonly #changes: SampleChange[] = []
  readonly #money = new MoneyCounter()
  readonly #kinds = new KindChanges()
  /** Watches that batches have written so far. */
  #written = 0
  /** The first file that had no watches. */
  #emptyFile: string | undefined
  #pruneRefusal: string | undefined

  constructor(parts: ImportParts, options: ImportOptions, run: OpenRun) {
    this.#parts = parts
    this.#options = options
    this.#run = run
  }

  async import(paths: readonly string[]): Promise<ImportSummary> {
    const { rejects, database } = this.#parts
    const brands = new RunBrands(await BrandFinder.read(database.reader))
    try {
      const resolver = await this.#readFiles(paths, brands)
      if (resolver !== undefined) await this.#prune(resolver, brands)
      this.#parts.onPublish()
      await this.#run.done(this.#details(brands))
    } catch (error) {
      const failure = error instanceof Failure ? new Failure(`${error.message}${this.#tellWritten()}`) : error
      await this.#run.failed(failure, this.#details(brands))
      throw failure
    } finally {
      await rejects.close()
    }
    return {
      run: this.#run.id,
      ...this.#count,
      rejected: rejects.count,
      reasons: rejects.reasons,
      ...rejects.cellSummary,
      repeated: rejects.repeats,
      brandsCreated: brands.madeCount,
      money: this.#money.use,
      pruneRefusal: this.#pruneRefusal,
      changes: this.#changes,
      kindChanges: this.#kinds.all,
    }
  }

  async #readFiles(paths: readonly string[], brands: RunBrands): Promise<DraftResolver | undefined> {
    let resolver: DraftResolver | undefined
    let key: IdentityKey | undefined
    for (const [at, path] of paths.entries()) {
      const file = await openDraftsInWorker(path, this.#options).catch((error) => {
        this.#files[at] = { name: this.#options.read.names?.[path] ?? path }
        throw error
      })
      const { file: name, format, bytes, mappingJson, isExport } = file.start
      const mapping = isExport ? undefined : JSON.parse(mappingJson)
      const known = { name, format, bytes, mapping }
      // Before its rows are read, so that a run in batches that is killed keeps it.
      this.#files[at] = known
      try {
        this.#parts.onFile(file.start)
        const meant = keyOf(file.start, this.#options.key)
        key ??= meant
        if (typeof key !== typeof meant) throw new Failure(twoIds)
        const { reader } = this.#parts.database
        // The identities are read only after the first file was opened, so that an unreadable file fails early.
        resolver ??= await DraftResolver.open(reader, brands, key)
        await this.#importFile(file, at + 1, brands, resolver)
      } finally {
        this.#files[at] = { ...known, sha256: file.sha256() }
        await file.close()
      }
    }
    return resolver
  }

  #details(brands: RunBrands): RunDetails {
    const { rejects } = this.#parts
    const { key = 'reference', source, isReplacing, isInBatches } = this.#options
    const { count: rejected, repeats: repeated } = rejects
    const { cellReasons: cell_reasons } = rejects.cellSummary
    return {
      files: this.#files,
      options: {
        key: typeof key === 'string' ? key : key.spec,
        source,
        ...(isReplacing ? { replace: true } : {}),
        ...(isInBatches ? { in_batches: true } : {}),
        ...(this.#parts.confirmPrune === undefined ? {} : { prune: true }),
      },
      counts: { ...this.#count, rejected, repeated, brands_created: brands.madeCount },
      rejects: rejects.first,
      ...(cell_reasons.length === 0 ? {} : { cell_reasons }),
    }
  }

  /** Ends the message of a failure, if rows were read. */
  #tellWritten(): string {
    const isRead = this.#count.rows + this.#parts.rejects.count > 0
    if (this.#options.isDryRun || !isRead) return ''
    if (this.#run.step === 0) return ' Nothing was written.'
    const watches =
      this.#written === 1 ? '1 watch was' : `${this.#written.toLocaleString('en-US')} watches were`
    return ` ${watches} written: \`watchdata imports undo ${this.#run.id}\` takes them back.`
  }

  async #importFile(
    file: DraftsFile,
    number: number,
    brands: RunBrands,
    resolver: DraftResolver,
  ): Promise<void> {
    const { rejects, onProgress } = this.#parts
    const { file: name, bytes, isExport } = file.start
    const { staged } = this.#run
    const staging = { run: staged, brands, resolver, options: this.#options }
    const rowsBefore = this.#count.rows
    const told = () => this.#count.created + this.#count.updated + this.#count.unchanged
    const toldBefore = told()
    resolver.beginFile(isExport)
    let money: MoneyUse = { assumed: 0, rates: [] }
    for await (const batch of file.batches()) {
      rejects.addBatch(name, batch.rejects, batch.report)
      const resolved = await resolver.resolve(staged, batch.drafts, { name, number, rejects })
      const taken = await stageBatch(staging, resolved)
      for (const { draft, changedAt } of taken.stale) {
        const value = `${draft.brand} ${draft.reference_number}`
        rejects.add({ file: name, line: draft.line, value, reason: staleReason(changedAt) })
      }
      this.#take(taken, brands)
      this.#count.rows = rowsBefore + batch.rows
      if (this.#options.isInBatches) await this.#run.publishBatch(this.#details(brands))
      this.#written += taken.created + taken.updates.length
      money = batch.money
      onProgress({ file: name, rows: this.#count.rows, bytesRead: batch.bytesRead, bytes })
    }
    this.#money.add(money)
    if (told() === toldBefore) this.#emptyFile ??= name
  }

  #take({ created, updates, unchanged }: StagedBatch, brands: RunBrands): void {
    this.#count.created += created
    this.#count.updated += updates.length
    this.#count.unchanged += unchanged
    for (const { changes } of updates) this.#kinds.add(changes)
    for (const { row, next, changes } of updates.slice(0, samplesMax - this.#changes.length)) {
      const prices = (['retail_price_usd', 'current_market_price'] as const)
        .filter((field) => row[field] !== next[field])
        .map((field) => [field, { old: row[field], new: next[field] }] as const)
      const watch = `${brands.name(row.brand_id)} ${row.reference_number}`
      const fields = { ...changes.fields, ...Object.fromEntries(prices) }
      this.#changes.push({ id: row.id, watch, fields })
    }
  }

  async #prune(resolver: DraftResolver, brands: RunBrands): Promise<void> {
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
    await pruneMissing(this.#run.staged, resolver, (id) => brands.name(id))
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

function staleReason(changedAt: string): string {
  return `The watch was changed on ${changedAt.slice(0, 10)}, after this export: export again and edit that file, or say --replace if the file is to win.`
}

const twoIds =
  '--key id means the ids of the catalogue in one file, and a column of its own in another: import them one by one, or say --key specs.id.'

/**
 * What identifies the watches of a file. `id` is the id of the catalogue, or the column `id` of a file that has other
 * ids. Fails once for the file if it has no such column, instead of rejecting every row.
 */
function keyOf({ file, mapping, isExport }: FileStart, key: IdentityKey = 'reference'): IdentityKey {
  if (isExport || key === 'reference') return key
  const targets = mapping.map(({ becomes }) => becomes)
  if (key === 'id' && targets.includes('id')) return key
  const spec = key === 'id' ? key : key.spec
  if (targets.includes(`specs.${spec}`)) return { spec }
  const near = targets.find((target) => target.toLowerCase() === `specs.${spec}`.toLowerCase())
  const field = mapping.find(({ becomes }) => becomes === spec)
  // A key other than the reference and the id is a spec: the collection of a watch is none.
  const asSpec = field && `{"columns": {${JSON.stringify(field.column)}: "specs.${spec}"}}`
  const hint =
    near === undefined
      ? asSpec && `: its column ${field.column} becomes the ${spec}. Make it a spec in a mapping: ${asSpec}`
      : `: did you mean --key ${near.slice('specs.'.length)}?`
  const wanted = key === 'id' ? 'id or specs.id' : `specs.${spec}`
  throw new Failure(`${file} has no column that becomes ${wanted}, which --key names${hint || '.'}`)
}
