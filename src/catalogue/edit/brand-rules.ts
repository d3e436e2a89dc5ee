// Validates the fields of a brand, and ensures that no two brands share a name, slug or alias, because callers and
// files refer to brands by them.
import { Failure } from '../../errors.ts'
import { foldText } from '../../specs/fold.ts'
import type { BrandDraft, BrandRow } from '../brands.ts'
import { aliasesOf, slugMax } from '../find-brand.ts'
import { checkedName, checkedText, shortened } from './watch-rules.ts'

/** The fields to change; null clears a field. */
export interface BrandEdit extends Partial<Omit<BrandDraft, 'aliases'>> {
  readonly addAliases: readonly string[]
  readonly removeAliases: readonly string[]
}

/** The edit as given on a command line; an empty text clears a field. */
export interface RawBrandEdit {
  readonly name?: string
  readonly slug?: string
  readonly country?: string
  readonly founded?: string
  readonly website?: string
  readonly alias?: readonly string[]
  readonly removeAlias?: readonly string[]
}

const slugShape = /^(?!\d+$)[a-z\d]+(-[a-z\d]+)*$/
const [firstYear, lastYear] = [1000, 2999]

export function parseBrandEdit(raw: RawBrandEdit): BrandEdit {
  const { name, slug, country, founded, website, alias = [], removeAlias = [] } = raw
  return {
    ...(name === undefined ? {} : { name: checkedName('The name', name) }),
    ...(slug === undefined ? {} : { slug: parseSlug(slug) }),
    ...(country === undefined ? {} : { country: checkedText('The country', country) || null }),
    ...(founded === undefined ? {} : { founded_year: parseYear(founded) }),
    ...(website === undefined ? {} : { website: parseWebsite(website) }),
    addAliases: alias.map((one) => checkedName('An alias', one)),
    removeAliases: removeAlias,
  }
}

/** Throws if a new name, slug or alias belongs to another brand, however it is spelled. */
export function failWhenTaken(rows: readonly BrandRow[], before: BrandRow, after: BrandRow): void {
  const known = new Set(textsOf(before).map(foldText))
  const others = rows.filter(({ id }) => id !== before.id)
  for (const text of textsOf(after)) {
    if (known.has(foldText(text))) continue
    const other = others.find((row) => textsOf(row).some((one) => foldText(one) === foldText(text)))
    if (other !== undefined) {
      throw new Failure(
        `${text} is already used by ${other.name} (${other.id}): choose another, or merge the two with \`watchdata brand merge\`.`,
      )
    }
  }
}

function textsOf(row: BrandRow): string[] {
  return [row.name, row.slug, ...aliasesOf(row)]
}

function parseSlug(raw: string): string {
  if (slugShape.test(raw) && raw.length <= slugMax) return raw
  throw new Failure(
    `The slug ${shortened(raw)} cannot be used in a URL: use lowercase letters a to z, digits and single hyphens, at most ${slugMax} characters, and not only digits.`,
  )
}

function parseYear(raw: string): number | null {
  if (raw.trim() === '') return null
  const year = /^\d{4}$/.test(raw.trim()) ? Number(raw) : 0
  if (year >= firstYear && year <= lastYear) return year
  throw new Failure(`The year ${shortened(raw)} must have four digits, such as 1848.`)
}

function parseWebsite(raw: string): string | null {
  const text = checkedText('The website', raw)
  if (text === '') return null
  const url = URL.parse(text)
  if (url !== null && (url.protocol === 'https:' || url.protocol === 'http:')) return text
  throw new Failure(`The website ${shortened(raw)} must be an address that begins with https:// or http://.`)
}
