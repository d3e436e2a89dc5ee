// Finds the watches of the catalogue by a reference as a title prints it: in the maker's other spellings, with a remark
// behind the stored one, and by the base that variants share.
import { foldReference } from '../../specs/fold.ts'
import { type BrandShapes, referenceShapes, type ShapeMatch } from '../../specs/reference-shapes.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { BrandNames } from '../index/brand-names.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import type { TitleText } from './title-text.ts'

export interface KnownReferences {
  /** The brands that a reference may be of; none if the title names no brand. */
  readonly ids: readonly number[]
  readonly shapes: BrandShapes | undefined
  readonly hasShapes: boolean
}

/** Watches with one reference that are looked at. */
const sameMax = 24
/** Watches that begin with a base that are looked at. */
const siblingsMax = 40
const paddedMax = 5

export function openReferences(index: WatchIndex, ids: readonly number[]): KnownReferences {
  const shapes = ids.map((id) => shapesOf(index, id)).find((found) => found !== undefined)
  return { ids, shapes, hasShapes: shapes !== undefined || ids.length === 0 }
}

const shapesOfBrands = new WeakMap<BrandNames, Map<number, BrandShapes | undefined>>()

/** Kept for the brands as they are: the table may call one by another of its names. */
export function shapesOf(index: WatchIndex, id: number): BrandShapes | undefined {
  const known = shapesOfBrands.get(index.brands) ?? new Map<number, BrandShapes | undefined>()
  shapesOfBrands.set(index.brands, known)
  return known.getOrInsertComputed(id, () => findShapes(index, id))
}

function findShapes(index: WatchIndex, id: number): BrandShapes | undefined {
  const row = index.brands.find(id)
  if (row === undefined) return undefined
  const own = referenceShapes().of(row.name)
  if (own !== undefined) return own
  const names = [row.slug, ...(JSON.parse(row.aliases) as string[]), ...index.brands.shortNamesOf(id)]
  return names.map((name) => referenceShapes().of(name)).find((found) => found !== undefined)
}

/** Whether the letters at the end of a text are those of a variant, as the tables know it: `LV` behind `16610`. */
export function isKnownVariant(
  index: WatchIndex,
  { base, whole }: ShapeMatch,
  known: KnownReferences,
): boolean {
  const letters = whole.slice(base.length)
  return letters !== '' && variantsOf(index, known).has(letters.length === 1 ? whole : letters)
}

const variantsOfShapes = new WeakMap<Vocabulary, Map<BrandShapes, ReadonlySet<string>>>()

/** The letters of variants; a single letter may be of a serial number, so only with its base. */
function variantsOf({ vocabulary }: WatchIndex, { shapes }: KnownReferences): ReadonlySet<string> {
  if (shapes === undefined) return new Set()
  const made = variantsOfShapes.get(vocabulary) ?? new Map<BrandShapes, ReadonlySet<string>>()
  variantsOfShapes.set(vocabulary, made)
  return made.getOrInsertComputed(shapes, () => {
    const targets = vocabulary.nicknames.watches.flatMap((one) => one.targets)
    const named = targets.flatMap((one) => (one.kind === 'reference' && !one.isPrefix ? [one.folded] : []))
    const letters = new Set<string>()
    for (const folded of [...named, ...referenceShapes().linked]) {
      const { base = '', whole = '' } = shapes.match(folded) ?? {}
      const ending = whole.slice(base.length)
      if (/^[a-z]+$/.test(ending)) letters.add(ending.length === 1 ? whole : ending)
    }
    return letters
  })
}

/** The watches whose reference is this one in whole. */
export function watchesHaving(index: WatchIndex, folded: string, known: KnownReferences): number[] {
  for (const form of formsOf(folded, known.shapes)) {
    const watches = ofForm(index, form, known.ids)
    if (watches.length > 0) return watches
  }
  return []
}

function ofForm(index: WatchIndex, form: string, ids: readonly number[]): number[] {
  // In order of reference, those with just this one come first: mostly there is none.
  const [first] = index.references.first(form, 1)
  if (first === undefined || withoutRemark(index, first) !== form) return []
  return index.references
    .first(form, sameMax)
    .filter((ordinal) => isOf(index, ordinal, ids) && withoutRemark(index, ordinal) === form)
}

function isOf({ columns }: WatchIndex, ordinal: number, ids: readonly number[]): boolean {
  return ids.length === 0 || ids.includes(columns.brandId(ordinal))
}

/** Some files have the name of the model behind the reference: `126610LN (Submariner Date)`. */
export function withoutRemark({ rows }: WatchIndex, ordinal: number): string {
  return foldReference(rows.reference(ordinal).replace(/\s*\(.*$/, ''))
}

/** How the same reference may be stored: without the maker's letters, with them, without the market, with zeros. */
function* formsOf(folded: string, shapes: BrandShapes | undefined): Generator<string> {
  yield folded
  if (shapes === undefined) return
  for (const own of [folded, ...shapes.withoutEnding(folded)]) {
    const whole = shapes.match(own)?.whole
    if (whole === undefined) continue
    if (own !== folded) yield own
    if (whole !== own) yield whole
    for (const lead of shapes.leads)
      if (shapes.match(`${lead}${whole}`)?.whole === whole) yield `${lead}${whole}`
    yield* padded(whole, shapes)
  }
}

/** `PAM 111` and `PAM00111`: the brand writes its numbers with zeros, people leave them out. */
function* padded(whole: string, shapes: BrandShapes): Generator<string> {
  const [, letters = '', digits = ''] = /^([a-z]+)(\d+)$/.exec(whole) ?? []
  if (digits === '') return
  for (let length = digits.length + 1; length <= paddedMax; length++) {
    const form = `${letters}${digits.padStart(length, '0')}`
    if (shapes.match(form) !== undefined) yield form
  }
}

/** A word with letters and digits, or so many digits, that a watch has as its reference. */
const tellingMin = 5

/** Whether the text has the whole reference of yet another watch, of whatever brand: `126610LN for Omega 310.30…`. */
export function hasOtherReference(
  index: WatchIndex,
  { words }: TitleText,
  places: readonly { readonly from: number; readonly to: number; readonly folded: string }[],
): boolean {
  return words.some(({ word, from, to, role }) => {
    if (role !== undefined && role !== 'reference') return false
    if (word.length < tellingMin || !/\d/.test(word)) return false
    if (places.some((place) => from < place.to && place.from < to)) return false
    const folded = foldReference(word)
    return index.references.has(folded) && !places.some((place) => place.folded.includes(folded))
  })
}

interface Siblings {
  /** Watches of which the text is the base, or the beginning up to where another part begins. */
  readonly variants: readonly number[]
  /** Watches of the same model in another variant. */
  readonly others: readonly number[]
}

/** The watches of the model that a reference names, which no watch has in whole. */
export function siblingsOf(
  index: WatchIndex,
  folded: string,
  match: ShapeMatch | undefined,
  known: KnownReferences,
): Siblings {
  const { shapes } = known
  const base = match?.base ?? folded
  const whole = match?.whole ?? folded
  const found = new Set<number>()
  for (const lead of ['', ...(shapes?.leads ?? [])]) {
    for (const ordinal of index.references.first(`${lead}${base}`, siblingsMax)) {
      if (isOf(index, ordinal, known.ids)) found.add(ordinal)
    }
  }
  const variants: number[] = []
  const others: number[] = []
  for (const ordinal of found) {
    const own = withoutRemark(index, ordinal)
    const ownShapes = shapes ?? shapesOf(index, index.columns.brandId(ordinal))
    const stored = ownShapes?.match(own)
    const core = stored?.whole ?? own
    const isSameBase = match !== undefined && stored?.base === match.base
    if (
      core.startsWith(whole) &&
      (isSameBase || stored?.base === whole || endsPart(index.rows.reference(ordinal), core, own, whole))
    )
      variants.push(ordinal)
    else if (isSameBase) others.push(ordinal)
  }
  return { variants, others }
}

/** Whether a part of the stored reference ends where the printed one does: at a separator, or between letters and digits. */
function endsPart(written: string, core: string, own: string, whole: string): boolean {
  const at = own.length - core.length + whole.length
  const [before = '', behind = ''] = [own[at - 1], own[at]]
  if (/\d/.test(before) !== /\d/.test(behind)) return true
  let seen = 0
  for (let place = 0; place < written.length; place++) {
    if (foldReference(written[place] as string) !== '') seen++
    else if (seen === at) return true
  }
  return false
}

/** Whether a watch of the same line came before or after it: most titles without a reference fit these as well. */
export function hasKin(index: WatchIndex, ordinal: number): boolean {
  const folded = withoutRemark(index, ordinal)
  const match = shapesOf(index, index.columns.brandId(ordinal))?.match(folded)
  const table = referenceShapes()
  return [folded, match?.whole, match?.base].some(
    (name) =>
      name !== undefined && (table.successors(name).length > 0 || table.predecessors(name).length > 0),
  )
}
