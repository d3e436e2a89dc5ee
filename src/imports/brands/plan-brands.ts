// Plans the import of brands: which brand of the catalogue each row means, what it changes, and which brands to create.
// It writes nothing.
import type { BrandRow } from '../../catalogue/brands.ts'
import { distinctAliases } from '../../catalogue/edit/edit-brand.ts'
import type { FieldChanges } from '../../catalogue/field-changes.ts'
import { aliasesOf, type BrandFinder, slugFor } from '../../catalogue/find-brand.ts'
import { foldText } from '../../specs/fold.ts'
import type { Reject } from '../rejects.ts'
import type { ToldBrand } from './brand-record.ts'

type Changes = FieldChanges['fields']

interface BrandUpdate {
  readonly before: BrandRow
  readonly after: BrandRow
  readonly changes: Changes
}

export interface BrandPlan {
  /** Their ids are negative, unless the file gives an id that is free. */
  readonly creations: BrandRow[]
  readonly updates: BrandUpdate[]
  unchanged: number
  readonly rejects: Reject[]
  /** Rows whose brand already had a row in the file. */
  readonly repeats: Reject[]
}

const comparedFields = ['slug', 'country', 'founded_year', 'website'] as const

export function planBrands(finder: BrandFinder, told: readonly ToldBrand[], isExport: boolean): BrandPlan {
  return new Planner(finder, isExport).plan(told)
}

class Planner {
  readonly #finder: BrandFinder
  readonly #isExport: boolean
  readonly #byName = new Map<string, BrandRow>()
  readonly #bySlug = new Map<string, BrandRow>()
  readonly #lines = new Map<number, number>()
  readonly #plan: BrandPlan = { creations: [], updates: [], unchanged: 0, rejects: [], repeats: [] }

  constructor(finder: BrandFinder, isExport: boolean) {
    this.#finder = finder
    this.#isExport = isExport
    for (const row of finder.rows) this.#index(row)
  }

  plan(told: readonly ToldBrand[]): BrandPlan {
    for (const brand of told) {
      const found = this.#find(brand)
      if ('reason' in found) this.#plan.rejects.push({ line: brand.line, value: brand.name, ...found })
      else this.#take(brand, found.row)
    }
    return this.#plan
  }

  #take(told: ToldBrand, row: BrandRow | undefined): void {
    const { line, name: value } = told
    const earlier = row && this.#lines.get(row.id)
    if (earlier !== undefined) {
      this.#plan.repeats.push({ line, value, reason: `Line ${earlier} has this brand already.` })
      return
    }
    const after = row === undefined ? this.#made(told) : changed(row, told, this.#isExport)
    const other = this.#isExport ? undefined : this.#findOther(row, after)
    if (other !== undefined) {
      this.#plan.rejects.push({ line, value, reason: `${other.text} is already used by ${other.row.name}.` })
      return
    }
    const changes = row && changesBetween(row, after)
    if (row === undefined) this.#plan.creations.push(after)
    else if (changes === undefined) this.#plan.unchanged++
    else this.#plan.updates.push({ before: row, after, changes })
    this.#lines.set(after.id, line)
    if (row !== undefined && row.slug !== after.slug) this.#bySlug.delete(row.slug)
    if (row === undefined || changes !== undefined) this.#add(after)
  }

  /** The brand that the row means, undefined if it is new, or the reason why the row is rejected. */
  #find(told: ToldBrand): { row: BrandRow | undefined } | { reason: string } {
    const bySlug = told.slug === undefined ? undefined : this.#bySlug.get(told.slug)
    const called = this.#called(told.name)
    if (bySlug === undefined) {
      return called.length > 1 ? { reason: 'Several brands have this name.' } : { row: called[0] }
    }
    const isCalledSo = [bySlug.name, ...aliasesOf(bySlug)].some(
      (one) => foldText(one) === foldText(told.name),
    )
    if (isCalledSo) return { row: bySlug }
    return {
      reason: `The slug ${told.slug} belongs to ${bySlug.name}: rename that by \`watchdata brand edit\`, or leave out the slug.`,
    }
  }

  /** Brands of an export match by their exact name, as names are distinct in the catalogue that it comes from. */
  #called(name: string): readonly BrandRow[] {
    const exact = this.#byName.get(name)
    if (exact !== undefined) return [exact]
    if (this.#isExport) return []
    return [...new Map(this.#finder.findAll(name).map((row) => [row.id, row])).values()]
  }

  #made(told: ToldBrand): BrandRow {
    const { name, id, updated_at = '' } = told
    const isFree = id !== undefined && this.#finder.findById(id) === undefined
    const isTaken = (slug: string) => this.#bySlug.has(slug) || this.#finder.findAll(slug).length > 0
    return changed(
      {
        id: isFree ? id : -1 - this.#plan.creations.length,
        name,
        slug: told.slug ?? slugFor(name, isTaken),
        aliases: '[]',
        country: null,
        founded_year: null,
        website: null,
        updated_at,
      },
      told,
      this.#isExport,
    )
  }

  /** Another brand that already has one of this brand's new names: lookups by that name would be ambiguous. */
  #findOther(before: BrandRow | undefined, after: BrandRow): { text: string; row: BrandRow } | undefined {
    const known = new Set(before && textsOf(before).map(foldText))
    for (const text of textsOf(after)) {
      if (known.has(foldText(text))) continue
      const row = this.#finder.findAll(text).find(({ id }) => id !== after.id)
      if (row !== undefined) return { text, row }
    }
    return undefined
  }

  #add(row: BrandRow): void {
    this.#finder.add(row)
    this.#index(row)
  }

  #index(row: BrandRow): void {
    this.#byName.set(row.name, row)
    this.#bySlug.set(row.slug, row)
  }
}

/** The name stays: renaming a brand changes all its watches, and has a command of its own. */
function changed(row: BrandRow, told: ToldBrand, isExport: boolean): BrandRow {
  const { slug, country, founded_year, website } = { ...row, ...told }
  return { ...row, slug, country, founded_year, website, aliases: changedAliases(row, told, isExport) }
}

/** A file only adds aliases: existing ones are former names and spellings that other files may still use. */
function changedAliases(row: BrandRow, { aliases }: ToldBrand, isExport: boolean): string {
  if (aliases === undefined) return row.aliases
  if (isExport) return JSON.stringify(aliases)
  const known = aliasesOf(row)
  const all = distinctAliases([...known, ...aliases], new Set([foldText(row.name)]))
  return all.length > known.length ? JSON.stringify(all) : row.aliases
}

function changesBetween(before: BrandRow, after: BrandRow): Changes | undefined {
  const changes: Record<string, { old: unknown; new: unknown }> = {}
  for (const field of comparedFields) {
    if (before[field] !== after[field]) changes[field] = { old: before[field], new: after[field] }
  }
  if (before.aliases !== after.aliases) changes.aliases = { old: aliasesOf(before), new: aliasesOf(after) }
  return Object.keys(changes).length > 0 ? changes : undefined
}

function textsOf(row: BrandRow): string[] {
  return [row.name, row.slug, ...aliasesOf(row)]
}
