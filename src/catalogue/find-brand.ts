// Finds the brand that a text refers to, by name, slug or alias, spelled as loosely as the API allows; and builds the
// slug of a new brand.
import { foldBrand, foldText } from '../specs/fold.ts'
import type { Reader } from '../storage/database.ts'
import { type BrandRow, readBrands } from './brands.ts'

/** Names have precedence over slugs, and slugs over aliases: an alias never hides the name of another brand. */
const kinds = ['name', 'slug', 'alias'] as const
type Kind = (typeof kinds)[number]

interface Called {
  readonly kind: Kind
  readonly row: BrandRow
}

/** Holds all brands in memory: there are a few thousand at most. */
export class BrandFinder {
  readonly #byId = new Map<number, BrandRow>()
  readonly #byText = new Map<string, Called[]>()
  /** By name without accents and punctuation. */
  readonly #byLetters = new Map<string, Called[]>()

  static async read(reader: Reader): Promise<BrandFinder> {
    const finder = new BrandFinder()
    for (const row of await readBrands(reader)) finder.add(row)
    return finder
  }

  add(row: BrandRow): void {
    this.#byId.set(row.id, row)
    this.#addText('name', row.name, row)
    this.#addText('slug', row.slug, row)
    for (const alias of aliasesOf(row)) this.#addText('alias', alias, row)
  }

  /** Returns undefined if no brand matches, or if several match and the text is not the exact name of one. */
  find(raw: string): BrandRow | undefined {
    const found = this.findAll(raw)
    return found.length === 1 ? found[0] : found.find(({ name }) => name === raw)
  }

  /**
   * Returns several brands if they share the alias, or if their names differ only in case. If no brand is called so,
   * accents, punctuation and spaces do not matter either.
   */
  findAll(raw: string): readonly BrandRow[] {
    const exact = this.findSpelled(raw)
    if (exact.length > 0) return exact
    return bestOf(
      brandLetters(raw)
        .map((letters) => this.#byLetters.get(letters) ?? [])
        .find((called) => called.length > 0),
    )
  }

  /** Like findAll, but accents and punctuation matter: an export must not merge two brands. */
  findSpelled(raw: string): readonly BrandRow[] {
    return bestOf(this.#byText.get(foldText(raw)))
  }

  findById(id: number): BrandRow | undefined {
    return this.#byId.get(id)
  }

  /** Returns the name of a brand that must exist. */
  name(id: number): string {
    const row = this.#byId.get(id)
    if (row === undefined) throw new Error(`there is no brand ${id}`)
    return row.name
  }

  get rows(): readonly BrandRow[] {
    return [...this.#byId.values()]
  }

  #addText(kind: Kind, text: string, row: BrandRow): void {
    this.#byText.getOrInsertComputed(foldText(text), () => []).push({ kind, row })
    const letters = foldBrand(text)
    if (letters !== '') this.#byLetters.getOrInsertComputed(letters, () => []).push({ kind, row })
  }
}

/** How a name without accents and punctuation may be written: `Glashütte` is `Glashutte` and `Glashuette`. */
export function brandLetters(name: string): readonly string[] {
  const [plain, spelled] = [foldBrand(name), foldBrand(spellOut(name))]
  return plain === spelled ? [plain] : [plain, spelled]
}

function bestOf(called: readonly Called[] = []): readonly BrandRow[] {
  for (const kind of kinds) {
    const rows = new Set(called.filter((entry) => entry.kind === kind).map(({ row }) => row))
    if (rows.size > 0) return [...rows]
  }
  return []
}

export function aliasesOf({ aliases }: Pick<BrandRow, 'aliases'>): readonly string[] {
  return JSON.parse(aliases)
}

/** Spelled as brands do in their own web addresses. Any other letter loses its diacritics. */
const spelledOut: ReadonlyMap<string, string> = new Map([
  ['ä', 'ae'],
  ['ö', 'oe'],
  ['ü', 'ue'],
  ['ß', 'ss'],
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
])
const marks = /\p{M}+/gu
/** Characters that do not separate words, as in `F.P. Journe` and `L'Epée`. */
const joining = /['’.]/g
export const slugMax = 80

/** Returns ASCII in kebab-case, with `-2` and so on if it is taken. Never empty, and never a number like an id. */
export function slugFor(name: string, taken: (slug: string) => boolean): string {
  const words = spellOut(name)
    .normalize('NFD')
    .replace(marks, '')
    .replace(joining, '')
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '')
  const joined = words.join('-').slice(0, slugMax).replace(/-$/, '')
  const slug = joined === '' ? 'brand' : /^\d+$/.test(joined) ? `brand-${joined}` : joined
  let free = slug
  for (let number = 2; taken(free); number++) free = `${slug}-${number}`
  return free
}

function spellOut(name: string): string {
  return [...name.normalize('NFKC').toLowerCase()].map((letter) => spelledOut.get(letter) ?? letter).join('')
}
