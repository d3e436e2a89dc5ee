// A page of a list, or all of them: `await` gives one page, `for await` the rows of all pages that follow.
import type { Meta } from './api-types.ts'
import { Call, readAnswer, type WithResponse } from './call.ts'
import type { CallOptions } from './options.ts'
import { queryString } from './query-string.ts'
import type { Sent, Transport } from './transport.ts'

interface AnyPage {
  readonly data: readonly unknown[]
  readonly meta: Meta
}

interface List {
  readonly path: Sent['path']
  readonly query: object
  readonly options: CallOptions | undefined
}

/** To read a list with as few requests as possible: every page counts as one. */
const perPageMax = 100

/** Sends nothing before it is awaited or iterated, because the size of its pages depends on that. */
export class PageCall<Page extends AnyPage>
  extends Call<Page>
  implements AsyncIterable<Page['data'][number]>
{
  readonly #load: (query: object | string) => Promise<WithResponse<Page>>
  readonly #first: (perPage?: number) => Promise<WithResponse<Page>>
  readonly #query: object

  constructor(transport: Transport, { path, query, options }: List) {
    let first: Promise<WithResponse<Page>> | undefined
    const load = async (asked: object | string) =>
      readAnswer(await transport.send({ path, query: asked }, options), (page: Page) => page)
    const begin = (perPage?: number) => {
      first ??= load(perPage === undefined ? query : { per_page: perPage, ...defined(query) })
      return first
    }
    super(() => begin())
    this.#load = load
    this.#first = begin
    this.#query = query
  }

  /** The pages, from the one that was asked for to the last. */
  async *pages(): AsyncGenerator<Page, void, undefined> {
    let answer = await this.#first(perPageMax)
    for (;;) {
      const { data, response } = answer
      yield data
      const next = nextQuery(data, response.headers.get('link'), this.#query)
      if (next === undefined) return
      answer = await this.#load(next)
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Page['data'][number], void, undefined> {
    for await (const { data } of this.pages()) {
      const rows: readonly Page['data'][number][] = data
      yield* rows
    }
  }
}

/**
 * The query string of the next page. Only this part of the link is used: a proxy may have another address than the service
 * knows. Without a link, which the service leaves out where it would be very long, pages are counted.
 */
export function nextQuery({ data, meta }: AnyPage, link: string | null, query: object): string | undefined {
  if (data.length === 0) return undefined
  if (link !== null) return /<[^>?]*\?([^>#]*)>;\s*rel="?next\b/.exec(link)?.[1]
  if (data.length < meta.per_page) return undefined
  const given: { after?: unknown } = query
  const size = { per_page: meta.per_page }
  if (given.after !== undefined) {
    const { id } = data.at(-1) as { id?: unknown }
    if (typeof id !== 'number') throw new TypeError('fields must have id where a list is read with after')
    return queryString({ ...query, ...size, after: id })
  }
  const { current_page, per_page, total } = meta
  if (current_page * per_page >= total) return undefined
  return queryString({ ...query, ...size, page: current_page + 1 })
}

function defined(query: object): object {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))
}
