// Builds the Link header of a list: the URLs of the first, previous, next and last page, with all other parameters
// kept.
import type { Paging } from '../../search/query/paging.ts'

/** Where a list in the order of ids goes on, so that whoever follows the links misses nothing while it changes. */
export interface IdLinks {
  /** The list was asked for by `after`: its page number tells nothing. */
  readonly isAfter: boolean
  /** Undefined on the last page, and for other orders. */
  readonly nextAfter: number | undefined
}

const byNumber: IdLinks = { isAfter: false, nextAfter: undefined }

/**
 * A longer header is left out: it repeats the query up to four times, and clients refuse headers of more than 16 KB.
 */
const lengthMax = 4_096

/** The header, or none where it would be too long. */
export function pageLinks(
  url: string,
  rawQuery: string,
  { page, perPage }: Paging,
  total: number,
  { isAfter, nextAfter }: IdLinks = byNumber,
): { readonly link?: string } {
  const last = Math.max(1, Math.ceil(total / perPage))
  const rest = withoutPaging(rawQuery)
  const address = (number: number, rel: string, after?: number) =>
    `<${url}?${rest}page=${number}&per_page=${perPage}${after === undefined ? '' : `&after=${after}`}>; rel="${rel}"`
  let link = address(1, 'first')
  if (page > 1) link += `, ${address(Math.min(page - 1, last), 'prev')}`
  if (nextAfter !== undefined) link += `, ${address(page + 1, 'next', nextAfter)}`
  else if (page < last && !isAfter) link += `, ${address(page + 1, 'next')}`
  link += `, ${address(last, 'last')}`
  return link.length > lengthMax ? {} : { link }
}

/** The raw parameters except for paging, each followed by `&`, so that paging can be appended. */
function withoutPaging(rawQuery: string): string {
  let kept = ''
  // Scans by position: `split` would first create a separate string for every part.
  for (let start = 0; start < rawQuery.length; ) {
    const ampersand = rawQuery.indexOf('&', start)
    const end = ampersand === -1 ? rawQuery.length : ampersand
    const parameter = rawQuery.slice(start, end)
    if (parameter !== '' && !isPaging(parameter)) kept += `${parameter}&`
    start = end + 1
  }
  return hasUnsafe.test(kept) ? kept.replace(unsafe, encodeURIComponent) : kept
}

function isPaging(parameter: string): boolean {
  const end = parameter.indexOf('=')
  const name = end === -1 ? parameter : parameter.slice(0, end)
  const plain = name.includes('%') ? decoded(name) : name
  return plain === 'page' || plain === 'per_page' || plain === 'after'
}

/** Known parameter names always decode; unknown ones may not. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** Characters that would end the URL in the header, or are not valid in a URL. */
const hasUnsafe = /[<>"\\^`{|}\s]/
const unsafe = new RegExp(hasUnsafe, 'g')
