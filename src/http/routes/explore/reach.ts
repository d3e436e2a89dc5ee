// Bounds what the explorer shows of a list: rows per page for everyone, and pages for visitors without an account.
// Whoever wants whole lists uses the API, where each page is charged.
import { Problem } from '../../../errors.ts'
import { type Paging, perPageMax } from '../../../search/query/paging.ts'

export const rowsMax = 24
/** The pages of a list that a visitor without an account can open where the explorer is limited. */
export const visitorPagesMax = 20

/** The query asks for more rows per page than the explorer shows; the API would accept it. */
export class TooManyRows extends Problem {
  constructor() {
    const text = `The explorer shows up to ${rowsMax} rows per page. The API returns up to ${perPageMax}.`
    super('invalid', { errors: { per_page: [text] } })
  }
}

/** The page exists, but is further down the list than the visitor may look. */
export class TooDeep extends Error {
  readonly pagesMax: number
  readonly total: number

  constructor(pagesMax: number, total: number) {
    super(`beyond page ${pagesMax}`)
    this.pagesMax = pagesMax
    this.total = total
  }
}

export function refuseManyRows({ perPage }: Paging): void {
  if (perPage > rowsMax) throw new TooManyRows()
}

/** A page beyond the end of the list is not refused: it says itself that it does not exist. */
export function refuseDepth({ page, perPage }: Paging, pagesMax: number, total: number): void {
  if (page > pagesMax && total > pagesMax * perPage) throw new TooDeep(pagesMax, total)
}
