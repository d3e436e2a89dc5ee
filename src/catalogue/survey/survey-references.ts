// Finds references that occur more than once in a brand, among all watches. Stores each as a hash in a typed array,
// because the texts of a million references would take ten times the memory.
import { hash } from 'node:crypto'
import { foldReference } from '../../specs/fold.ts'
import type { Reader } from '../../storage/database.ts'
import { readWatches, type WatchRow } from '../watches.ts'

export interface RepeatedReference {
  readonly brand_id: number
  readonly reference_number: string
  readonly ids: readonly number[]
}

/** The maximum number of watches that are compared; further ones are ignored. */
const watchesMax = 8_000_000
const firstLength = 1 << 14
/** Six bytes fit a number exactly. Of a million hashes two collide once in 500 catalogues; `readGroup` parts them. */
const hashBytes = 6

export class ReferenceSurvey {
  #hashes = new Float64Array(firstLength)
  #ids = new Float64Array(firstLength)
  #count = 0

  add({ id, brand_id, reference_number }: WatchRow): void {
    // Watches without a reference have nothing in common.
    if (this.#count === watchesMax || reference_number === '') return
    if (this.#count === this.#ids.length) {
      this.#hashes = grown(this.#hashes)
      this.#ids = grown(this.#ids)
    }
    this.#hashes[this.#count] = hashOf(nameOf(brand_id, reference_number))
    this.#ids[this.#count++] = id
  }

  /** Returns at most `max` repeated references, in the order of their first watches. */
  async repeated(reader: Reader, max: number): Promise<{ total: number; references: RepeatedReference[] }> {
    const groups = [...this.#groups().values()]
    const references: RepeatedReference[] = []
    for (const ids of groups.slice(0, max)) references.push(...(await readGroup(reader, ids)))
    return { total: groups.length, references }
  }

  /** Groups the ids of watches that have the same hash. */
  #groups(): Map<number, number[]> {
    const sorted = this.#hashes.slice(0, this.#count).sort()
    const repeated = new Set(sorted.filter((hashed, at) => at > 0 && hashed === sorted[at - 1]))
    const groups = new Map<number, number[]>()
    for (let at = 0; at < this.#count && repeated.size > 0; at++) {
      const hashed = this.#hashes[at] as number
      if (!repeated.has(hashed)) continue
      const ids = groups.getOrInsertComputed(hashed, () => [])
      if (ids.length < idsMax) ids.push(this.#ids[at] as number)
    }
    return groups
  }
}

function grown(full: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const twice = new Float64Array(full.length * 2)
  twice.set(full)
  return twice
}

/** The most ids that are reported of one reference. */
const idsMax = 20

async function readGroup(reader: Reader, ids: readonly number[]): Promise<RepeatedReference[]> {
  const rows = await readWatches(reader, ids)
  const byName = Map.groupBy(rows, ({ brand_id, reference_number }) => nameOf(brand_id, reference_number))
  return [...byName.values()]
    .filter((same) => same.length > 1)
    .map((same) => {
      const { brand_id, reference_number } = same[0] as WatchRow
      return { brand_id, reference_number, ids: same.map(({ id }) => id) }
    })
}

function nameOf(brandId: number, reference: string): string {
  return `${brandId} ${foldReference(reference) || reference}`
}

function hashOf(text: string): number {
  return hash('sha1', text, 'buffer').readUIntBE(0, hashBytes)
}
