// Builds the links that change only the order or the page of a list.
import type { Choice, Pages } from '../../../../web/pages/explore/explore-data.ts'
import { labelOf } from '../../../../web/pages/explore/explore-labels.ts'
import type { Paging } from '../../../search/query/paging.ts'
import { addressOf, type Part, without } from './address.ts'

/** The value of the `sort` parameter, and its label. */
export type Sort = readonly [sort: string, text: string]

/** Page numbers shown on either side of the current one. */
const nearPages = 2

/** The first of `sorts` is the default order. */
export function describeSorts(
  path: string,
  links: readonly Part[],
  sorts: readonly Sort[],
  { by, descending }: { readonly by: string; readonly descending: boolean },
): readonly Choice[] {
  const current = `${descending ? '-' : ''}${by}`
  const others = without(links, 'page', 'sort')
  const isKnown = sorts.some(([name]) => name === current)
  const all: readonly Sort[] = isKnown ? sorts : [...sorts, [current, labelOf(current)]]
  return all.map(([name, text], at) => ({
    text,
    href: addressOf(path, at === 0 ? others : [...others, { name: 'sort', path: [], value: name }]),
    isChosen: name === current,
  }))
}

interface Extent {
  readonly total: number
  /** Rows on this page. */
  readonly rowCount: number
  /** The last page that the visitor may open; the next one says so. */
  readonly pagesMax: number
}

export function describePages(
  path: string,
  links: readonly Part[],
  { page, perPage }: Paging,
  { total, rowCount, pagesMax }: Extent,
): Pages {
  const last = Math.max(1, Math.ceil(total / perPage))
  const lastShown = Math.min(last, pagesMax)
  const first = without(links, 'page')
  const href = (number: number) =>
    addressOf(path, number === 1 ? first : [...first, { name: 'page', path: [], value: String(number) }])
  const from = rowCount === 0 ? 0 : (page - 1) * perPage + 1
  const numbers = new Set([1, lastShown])
  for (let near = page - nearPages; near <= page + nearPages; near++)
    if (near > 1 && near < lastShown) numbers.add(near)
  return {
    page,
    last,
    from,
    to: rowCount === 0 ? 0 : from + rowCount - 1,
    previous: page > 1 ? href(Math.min(page - 1, last)) : undefined,
    next: page < last ? href(page + 1) : undefined,
    near: [...numbers]
      .sort((one, other) => one - other)
      .map((number) => ({ page: number, href: href(number) })),
  }
}
