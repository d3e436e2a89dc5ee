// In charge of the Link header: the addresses of the pages around this one, with everything else that was asked for.
import type { Paging } from '../search/paging.ts'

export function pageLinks(url: string, written: string, { page, perPage }: Paging, total: number): string {
  const last = Math.max(1, Math.ceil(total / perPage))
  const rest = withoutPaging(written)
  const link = (number: number, rel: string) =>
    `<${url}?${rest}page=${number}&per_page=${perPage}>; rel="${rel}"`
  let links = link(1, 'first')
  if (page > 1) links += `, ${link(Math.min(page - 1, last), 'prev')}`
  if (page < last) links += `, ${link(page + 1, 'next')}`
  return `${links}, ${link(last, 'last')}`
}

/** The parameters but for the paging, ready to be followed by it. */
function withoutPaging(written: string): string {
  if (written === '') return ''
  const kept = written.split('&').filter((one) => one !== '' && !/^(per_)?page(=|$)/.test(one))
  return kept.length === 0 ? '' : `${kept.join('&').replace(unsafe, encodeURIComponent)}&`
}

/** What would end the address in the header, or is no character of an address. */
const unsafe = /[<>"\\^`{|}\s]/g
