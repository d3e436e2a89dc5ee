// Opens the client of a service for a copy: redirects are not followed, and no response and no line is longer than its
// limit.
import { Watchdata } from '../../../sdk/src/index.ts'
import { Failure } from '../../errors.ts'

export interface Connection {
  readonly client: Watchdata
  /** The base URL, including /api/v1. */
  readonly api: string
  readonly signal: AbortSignal
}

/** A page of changes has at most 500 watches of 64 KB each, with the fields that changed. */
const bodyMaxBytes = 134_217_728
const lineMaxBytes = 1_048_576
const newline = 0x0a

export function openConnection(api: string, key: string, signal: AbortSignal): Connection {
  const send: typeof fetch = async (url, init) => {
    // A redirect might send the key to another host, or drop it.
    const response = await fetch(url, { ...init, redirect: 'manual' })
    if (response.body === null) return response
    const isExport = response.headers.get('content-type')?.includes('ndjson') === true
    const body = isExport ? withLineLimit(response.body) : withBodyLimit(response.body)
    return new Response(ReadableStream.from(body), response)
  }
  return { client: new Watchdata({ apiKey: key, baseUrl: api, fetch: send }), api, signal }
}

async function* withBodyLimit(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > bodyMaxBytes) throw new Failure('the response is too long')
    yield chunk
  }
}

async function* withLineLimit(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  let lineBytes = 0
  for await (const chunk of body) {
    const end = chunk.lastIndexOf(newline)
    lineBytes = end === -1 ? lineBytes + chunk.length : chunk.length - end - 1
    if (lineBytes > lineMaxBytes) throw new Failure('a line of the export is too long to be a watch')
    yield chunk
  }
}
