// Reads an export line by line as it arrives. An export that ends early throws: a part of the catalogue must not look like
// all of it.
import type { Watch } from './api-types.ts'
import { ConnectionError, WatchdataError } from './errors.ts'
import type { CallOptions } from './options.ts'
import type { Transport } from './transport.ts'

const notExport = 'GET /export: the response is not an export. Is baseUrl the address of the service?'

/** All watches, ordered by id. The request is sent when the loop begins. */
export class WatchExport implements AsyncIterable<Watch> {
  readonly #transport: Transport
  readonly #options: CallOptions
  #cursor: string | undefined

  constructor(transport: Transport, options: CallOptions = {}) {
    this.#transport = transport
    this.#options = options
  }

  /** Where the change log stood when the export began: follow the changes from there. Known as soon as the loop has begun. */
  get cursor(): string {
    if (this.#cursor === undefined) throw new Error('the cursor is known once the loop has begun')
    return this.#cursor
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Watch, void, undefined> {
    const { headers, chunks } = await this.#transport.open({ path: ['export'] }, this.#options)
    this.#cursor = headers.get('x-change-cursor') ?? undefined
    const decoder = new TextDecoder()
    let begun = ''
    for await (const chunk of chunks) {
      if (this.#cursor === undefined) break
      const lines = (begun + decoder.decode(chunk, { stream: true })).split('\n')
      begun = lines.pop() ?? ''
      for (const line of lines) yield JSON.parse(line)
    }
    if (this.#cursor === undefined) throw new WatchdataError(notExport, { headers })
    if (begun !== '') throw new ConnectionError('GET /export: the response ended in the middle of a line')
  }
}
