// Finds the brand that an operator names by id, slug, name or alias. If there is none, suggests similar names.
import { Failure } from '../../errors.ts'
import { findNearest } from '../../specs/near-texts.ts'
import type { BrandRow } from '../brands.ts'
import { aliasesOf, type BrandFinder } from '../find-brand.ts'
import { shortened } from './watch-rules.ts'

const toldMax = 5

export function getBrand(finder: BrandFinder, written: string): BrandRow {
  const found =
    finder.find(written) ?? (/^[1-9]\d{0,14}$/.test(written) ? finder.findById(Number(written)) : undefined)
  if (found !== undefined) return found
  const several = finder.findAll(written)
  if (several.length > 0) {
    const told = several.slice(0, toldMax).map(({ id, name }) => `${name} (${id})`)
    throw new Failure(`${written} may be any of ${told.join(', ')}: give the number in brackets instead.`)
  }
  const near = nearBrands(finder, written)
  const hint = near.length === 0 ? 'see' : `write ${near.join(' or ')}, or see`
  throw new Failure(`There is no brand ${shortened(written)}: ${hint} \`watchdata brand list\`.`)
}

/** Returns the brands with a name or alias in which a word begins with the text, and the one it may be a typo of. */
function nearBrands(finder: BrandFinder, written: string): string[] {
  const lower = written.trim().toLowerCase()
  const near = new Set<string>()
  const names = new Map(
    finder.rows.flatMap((row) => [row.name, ...aliasesOf(row)].map((called) => [called, row.name] as const)),
  )
  const nearest = findNearest(written.trim(), names.keys())
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
