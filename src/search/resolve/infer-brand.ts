// Tells the brand of a title that names none by its reference: one that letters and digits make telling, and that a
// watch of the catalogue has, in whole or as its base.
import { foldReference } from '../../specs/fold.ts'
import type { BrandShapes } from '../../specs/reference-shapes.ts'
import type { BrandNames } from '../index/brand-names.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { type KnownReferences, shapesOf, siblingsOf, watchesHaving } from './known-references.ts'
import type { TitleText } from './title-text.ts'

const known = new WeakMap<BrandNames, readonly { readonly id: number; readonly shapes: BrandShapes }[]>()
const brandsMax = 300
const lengthMin = 5
const groupWordsMax = 2
const triedMax = 12

export function brandsOfReferences(index: WatchIndex, { words, shown }: TitleText): number[] {
  const { brands } = index
  const all = known.get(brands) ?? openShapes(index)
  known.set(brands, all)
  const found = new Set<number>()
  let left = triedMax
  for (let at = 0; at < words.length; at++) {
    const [first] = [words[at]]
    for (let to = at; to < Math.min(words.length, at + groupWordsMax); to++) {
      const last = words[to]
      if (first === undefined || last === undefined || first.role !== undefined || last.role !== undefined)
        break
      const folded = foldReference(shown.slice(first.from, last.to))
      if (folded.length < lengthMin || !/\d/.test(folded) || !/[a-z]/.test(folded)) continue
      for (const { id, shapes } of all) {
        const match = shapes.match(folded)
        if (match === undefined || left-- <= 0) continue
        const own: KnownReferences = { ids: [id], shapes, hasShapes: true }
        if (watchesHaving(index, folded, own).length > 0) return [id]
        if (siblingsOf(index, folded, match, own).variants.length > 0) found.add(id)
      }
    }
  }
  return [...found]
}

function openShapes(index: WatchIndex): { id: number; shapes: BrandShapes }[] {
  return index.brands.rows.slice(0, brandsMax).flatMap(({ id }) => {
    const shapes = shapesOf(index, id)
    return shapes === undefined ? [] : [{ id, shapes }]
  })
}
