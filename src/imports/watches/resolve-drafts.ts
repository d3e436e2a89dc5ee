// Decides which watch each row means: an existing one, a new one, or one that already had a row in the same file.
import type { StagedRun } from '../../catalogue/runs/staged-run.ts'
import type { WatchRow } from '../../catalogue/watches.ts'
import { foldReference } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import type { Draft } from '../drafts/draft.ts'
import { ambiguousId, Identities, IdSet, newId } from '../identities.ts'
import type { IdentityKey } from '../import-options.ts'
import type { Rejects } from '../rejects.ts'
import { eachWatch, type Identity, identityBy, type KnownWatch } from './identity.ts'
import type { RunBrand, RunBrands } from './run-brands.ts'

/** A row, and the watch it means. */
export interface Resolved {
  readonly draft: Draft
  readonly brand: RunBrand
  /** The id of the watch, which an earlier file of the run may have created. */
  readonly id: number
  readonly identity: string
}

/** A row that creates a watch. */
export interface Creation extends Omit<Resolved, 'id'> {
  /** The id that the file gives the watch, if it is free. */
  readonly wantedId: number | undefined
}

export interface ResolvedBatch {
  readonly matches: readonly Resolved[]
  readonly creations: readonly Creation[]
}

interface FileParts {
  readonly name: string
  readonly number: number
  readonly rejects: Rejects
}

const otherById =
  'The row has no reference, and the watch with its id is another one, or has changed since: import by another --key.'
const otherByReference =
  'Another watch has this brand and reference: write its former reference, or delete one of the two watches.'

export class DraftResolver {
  readonly #brands: RunBrands
  readonly identity: Identity
  readonly #identities = new Identities()
  readonly #inRun = new IdSet()
  readonly #inFile = new IdSet()
  /** Whether the file is an export. Its rows are matched by id as well: its watches may share brand and reference. */
  #isExport = false

  private constructor(brands: RunBrands, key: IdentityKey) {
    this.#brands = brands
    this.identity = identityBy(key)
  }

  /** Reads the identities of all watches of the catalogue. */
  static async open(reader: Reader, brands: RunBrands, key: IdentityKey): Promise<DraftResolver> {
    const resolver = new DraftResolver(brands, key)
    for await (const row of eachWatch(reader, resolver.identity.isInSpecs)) {
      const identity = resolver.identity.ofRow(row)
      if (identity !== undefined) resolver.#identities.putExisting(identity, row.id)
    }
    return resolver
  }

  beginFile(isExport: boolean): void {
    this.#isExport = isExport && this.identity.isByReference
    this.#inFile.clear()
  }

  /** Watches are read from the run, because an earlier file may have created or changed them. */
  async resolve(run: StagedRun, drafts: readonly Draft[], file: FileParts): Promise<ResolvedBatch> {
    const byId = await this.#readWanted(run, drafts)
    const matches: Resolved[] = []
    const creations: Creation[] = []
    for (const draft of drafts) {
      const place = { file: file.name, line: draft.line }
      const brand = this.#brands.find(draft.brand, draft.isWhole)
      if (brand === undefined) {
        const reason = 'is the name of several brands'
        file.rejects.add({ ...place, column: 'brand', value: draft.brand, reason })
        continue
      }
      const identity = this.identity.ofDraft(draft, brand.number)
      const found = this.#find(draft, identity, file, byId)
      if ('reason' in found) {
        const row = { ...place, value: `${draft.brand} ${draft.reference_number}`, reason: found.reason }
        if (found.kind === 'repeated') file.rejects.addRepeat(row)
        else file.rejects.add(row)
        continue
      }
      // The brand of a match is used only if the row is not older than its watch.
      if (found.kind === 'new') this.#brands.use(brand)
      if (found.id !== undefined) this.#see(found.id)
      // A watch of an export that has no reference is known by its id.
      const row = { draft, brand, identity: identity ?? `id ${draft.id}` }
      if (found.kind === 'match') matches.push({ ...row, id: found.id })
      else creations.push({ ...row, wantedId: found.id })
    }
    return { matches, creations }
  }

  /** Records the id that a new watch was given. */
  created({ identity }: Creation, id: number): void {
    // The slot is looked up again, because it changes when the table grows.
    this.#identities.setId(this.#identities.put(identity, newId).place, id)
    this.#see(id)
  }

  /** Yields the ids of the watches that no file of this run has. */
  async *eachMissing(reader: Reader): AsyncGenerator<number> {
    for await (const row of eachWatch(reader, this.identity.isInSpecs)) if (!this.#isTold(row)) yield row.id
  }

  #isTold(row: KnownWatch): boolean {
    if (this.#inRun.has(row.id)) return true
    const identity = this.identity.ofRow(row)
    const place = identity === undefined ? undefined : this.#identities.find(identity)
    return place !== undefined && this.#identities.isSeen(place)
  }

  #find(draft: Draft, identity: string | undefined, file: FileParts, byId: WatchesById): Found {
    // Only a row that somebody has added to an export has no id.
    const isExported = this.#isExport && draft.id !== undefined
    if (identity === undefined && !isExported)
      return { kind: 'refused', reason: `The row ${this.identity.missing}.` }
    if (draft.id !== undefined && draft.id >= ambiguousId) {
      return { kind: 'refused', reason: `The id ${draft.id} is larger than an id can be.` }
    }
    if (identity === undefined) return this.#findUnreferenced(draft, byId)
    if (isExported) return this.#findExported(draft, identity, file, byId)
    const { place, isNew } = this.#identities.put(identity, newId)
    const seenAt = isNew ? undefined : this.#identities.seenAt(place, file.number)
    if (seenAt !== undefined) return { kind: 'repeated', reason: `Line ${seenAt} has this watch already.` }
    this.#identities.see(place, file.number, draft.line)
    if (isNew) return { kind: 'new', id: this.#freeId(draft, byId) }
    const id = this.#identities.id(place)
    if (this.#isExport && this.#inFile.has(id))
      return { kind: 'repeated', reason: 'An earlier row has this watch already.' }
    if (id !== ambiguousId) return { kind: 'match', id }
    return { kind: 'refused', reason: 'The catalogue has several such watches: import by another --key.' }
  }

  /**
   * Matches by id if the watch with that id is the same watch, even if its brand and reference were edited in the file.
   * Else matches by brand and reference. Else the watch is new, and gets its id if that is free.
   */
  #findExported(draft: Draft, identity: string, file: FileParts, byId: WatchesById): Found {
    const wanted = draft.id as number
    if (this.#inFile.has(wanted)) return { kind: 'repeated', reason: `An earlier row has the id ${wanted}.` }
    const row = byId.get(wanted)
    if (row && this.identity.ofRow(row) === identity) return { kind: 'match', id: wanted }
    if (row && isUnchanged(row, draft, this.#brands)) {
      if (this.#identities.put(identity, wanted).isNew) return { kind: 'match', id: wanted }
      // If both were edited, the row has the id of another watch: somebody has sorted some of the columns.
      if (hasOneOf(row, draft, this.#brands)) return { kind: 'refused', reason: otherByReference }
    }
    const { place, isNew } = this.#identities.put(identity, newId)
    const isTold = !isNew && this.#identities.seenAt(place, file.number) !== undefined
    this.#identities.see(place, file.number, draft.line)
    const id = this.#identities.id(place)
    const isOther = !isNew && !isTold && id !== ambiguousId && !this.#inFile.has(id)
    return isOther ? { kind: 'match', id } : { kind: 'new', id: this.#freeId(draft, byId) }
  }

  /**
   * Finds a watch of an export that has no reference by its id, if the watch was not changed since the export. Another
   * watch may have the id meanwhile, and nothing else tells them apart.
   */
  #findUnreferenced(draft: Draft, byId: WatchesById): Found {
    const wanted = draft.id as number
    if (this.#inFile.has(wanted)) return { kind: 'repeated', reason: `An earlier row has the id ${wanted}.` }
    const row = byId.get(wanted)
    if (row === undefined) return { kind: 'new', id: wanted }
    if (isUnchanged(row, draft, this.#brands) && hasOneOf(row, draft, this.#brands))
      return { kind: 'match', id: wanted }
    return { kind: 'refused', reason: otherById }
  }

  /** The id that the file gives a new watch, if no other watch has it. */
  #freeId({ id }: Draft, byId: WatchesById): number | undefined {
    if (id === undefined || (this.identity.isByReference && !this.#isExport)) return undefined
    return byId.has(id) || this.#inFile.has(id) ? undefined : id
  }

  async #readWanted(run: StagedRun, drafts: readonly Draft[]): Promise<Map<number, WatchRow>> {
    const ids = drafts.flatMap(({ id }) => (id === undefined ? [] : [id]))
    if (ids.length === 0 || (this.identity.isByReference && !this.#isExport)) return new Map()
    return new Map((await run.readWatches(ids)).map((row) => [row.id, row]))
  }

  #see(id: number): void {
    if (id === newId) return
    this.#inFile.add(id)
    this.#inRun.add(id)
  }
}

type Found =
  | { readonly kind: 'match'; readonly id: number }
  | { readonly kind: 'new'; readonly id: number | undefined }
  | { readonly kind: 'repeated' | 'refused'; readonly reason: string }

type WatchesById = ReadonlyMap<number, WatchRow>

/**
 * Whether the row of an export has the watch as it is now, apart from what was edited in the file: the same id, the same time
 * of the last change, and at least one other value. A watch of another catalogue may have been changed in the same millisecond.
 */
export function isUnchanged(row: WatchRow, draft: Draft, brands: RunBrands): boolean {
  if (!draft.isWhole || row.id !== draft.id || row.updated_at !== draft.updated_at) return false
  return (
    hasOneOf(row, draft, brands) ||
    valuesOf(draft).some((value, at) => value !== '' && value === valuesOf(row)[at])
  )
}

/** What tells watches apart beside brand and reference; empty if there is none. */
function valuesOf({ collection, retail_price_usd, current_market_price, specs }: WatchRow | Draft) {
  return [collection ?? '', retail_price_usd ?? '', current_market_price ?? '', specs === '{}' ? '' : specs]
}

/** Whether the row has at least one of brand and reference as the watch has it. */
function hasOneOf(row: WatchRow, draft: Draft, brands: RunBrands): boolean {
  const isSameBrand = brands.find(draft.brand, true)?.id === row.brand_id
  const { reference_number } = draft
  const isSameReference = foldReference(row.reference_number) === foldReference(reference_number)
  return isSameBrand || (isSameReference && reference_number !== '')
}
