// Finds the brand that an operator names by id, slug, name or alias. If there is none, suggests similar names.
import { Failure } from '../../errors.ts'
import { findNearest } from '../../specs/near-texts.ts'
import type { BrandRow } from '../brands.ts'
import { aliasesOf, type BrandFinder } from '../find-brand.ts'
import { shortened } from './watch-rules.ts'

const toldMax = 5

export function getBrand(finder: BrandFinder, raw: string): BrandRow {
  const found = finder.find(raw) ?? (/^[1-9]\d{0,14}$/.test(raw) ? finder.findById(Number(raw)) : undefined)
  if (found !== undefined) return found
  const several = finder.findAll(raw)
  if (several.length > 0) {
    const told = several.slice(0, toldMax).map(({ id, name }) => `${name} (${id})`)
    throw new Failure(`${raw} may be any of ${told.join(', ')}: give the number in brackets instead.`)
  }
  const near = nearBrands(finder, raw)
  const hint = near.length === 0 ? 'see' : `write ${near.join(' or ')}, or see`
  throw new Failure(`There is no brand ${shortened(raw)}: ${hint} \`watchdata brand list\`.`)
}

/** Returns the brands with a name or alias in which a word begins with the text, and the one it may be a typo of. */
function nearBrands(finder: BrandFinder, raw: string): string[] {
  const lower = raw.trim().toLowerCase()
  const near = new Set<string>()
  const names = new Map(
    finder.rows.flatMap((row) => [row.name, ...aliasesOf(row)].map((called) => [called, row.name] as const)),
  )
  const nearest = findNearest(raw.trim(), names.keys())
  if (nearest !== undefined) near.add(names.get(nearest) as string)
  for (const [called, name] of names) {
    const isPart =
      lower.length > 2 &&
      called
        .toLowerCase()
        .split(/\s+/)
        .some((word) => word.startsWith(lower))
    if (isPart) near.add(name)
  }
  return [...near].slice(0, toldMax)
}
