// In charge of the Link header: the addresses of the pages around this one, with everything else that was asked for.
import type { Paging } from '../../search/query/paging.ts'

/** Longer ones are left out: the query comes up to four times, and clients refuse headers of more than 16 KB. */
const lengthMax = 4_096

/** The header, or nothing where it would be too long. */
export function pageLinks(
  url: string,
  written: string,
  { page, perPage }: Paging,
  total: number,
): { readonly link?: string } {
  const last = Math.max(1, Math.ceil(total / perPage))
  const rest = withoutPaging(written)
  const address = (number: number, rel: string) =>
    `<${url}?${rest}page=${number}&per_page=${perPage}>; rel="${rel}"`
  let link = address(1, 'first')
  if (page > 1) link += `, ${address(Math.min(page - 1, last), 'prev')}`
  if (page < last) link += `, ${address(page + 1, 'next')}`
  link += `, ${address(last, 'last')}`
  return link.length > lengthMax ? {} : { link }
}

/** The parameters but for the paging, ready to be followed by it. */
function withoutPaging(written: string): string {
  let kept = ''
  // By position: to split a text, V8 makes every part one of its own first.
  for (let start = 0; start < written.length; ) {
    const ampersand = written.indexOf('&', start)
    const end = ampersand === -1 ? written.length : ampersand
    const parameter = written.slice(start, end)
    if (parameter !== '' && !isPaging(parameter)) kept += `${parameter}&`
    start = end + 1
  }
  return hasUnsafe.test(kept) ? kept.replace(unsafe, encodeURIComponent) : kept
}

function isPaging(parameter: string): boolean {
  const end = parameter.indexOf('=')
  const name = end === -1 ? parameter : parameter.slice(0, end)
  const plain = name.includes('%') ? decoded(name) : name
  return plain === 'page' || plain === 'per_page'
}

/** The names that a list knows can be decoded; those it does not may be anything. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}

/** What would end the address in the header, or is no character of an address. */
const hasUnsafe = /[<>"\\^`{|}\s]/
const unsafe = new RegExp(hasUnsafe, 'g')
