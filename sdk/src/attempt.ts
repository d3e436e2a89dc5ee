// One attempt of a request: its timeout, and the error that the caller sees. It knows nothing of retries.
import { Deadline } from './deadline.ts'
import { errorOf } from './error-of.ts'
import { ConnectionError, WatchdataError } from './errors.ts'

export interface Prepared {
  /** Names the request in messages, such as `GET /watches`. */
  readonly asked: string
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly fetch: typeof globalThis.fetch
}

/** A response whose body has been read. */
export interface Received {
  readonly response: Response
  readonly text: string
}

/** A response whose body arrives piece by piece. It has to be read, to its end or not. */
export interface Opened {
  readonly headers: Headers
  readonly chunks: AsyncIterable<Uint8Array>
}

/** The timeout covers the whole response. `isRepeated` says that an attempt before may have had its effect. */
export async function receive(prepared: Prepared, isRepeated: boolean): Promise<Received> {
  const deadline = new Deadline(prepared.signal)
  try {
    const response = await request(prepared, deadline, isRepeated)
    return { response, text: await response.text() }
  } catch (error) {
    throw toError(error, prepared, deadline)
  } finally {
    deadline.end()
  }
}

/** The timeout covers the time until the response begins, and then each of its pieces. */
export async function open(prepared: Prepared): Promise<Opened> {
  const deadline = new Deadline(prepared.signal)
  try {
    const { headers, body } = await request(prepared, deadline)
    deadline.stop()
    return { headers, chunks: chunksOf(body, prepared, deadline) }
  } catch (error) {
    deadline.end()
    throw toError(error, prepared, deadline)
  }
}

async function request(prepared: Prepared, deadline: Deadline, isRepeated = false): Promise<Response> {
  // Not called as a method: browsers refuse that.
  const { fetch, url, method, headers, body, asked } = prepared
  deadline.start(prepared.timeoutMs)
  const { signal } = deadline
  const response = await fetch(url, { method, headers, signal, ...(body !== undefined && { body }) })
  const isUnchanged = response.status === 304 && headers.has('if-none-match')
  // Deleted by the attempt whose response was lost.
  const isGone = response.status === 404 && method === 'DELETE' && isRepeated
  if (!response.ok && !isUnchanged && !isGone) throw errorOf(response, await response.text(), asked)
  return response
}

async function* chunksOf(
  body: ReadableStream<Uint8Array> | null,
  prepared: Prepared,
  deadline: Deadline,
): AsyncGenerator<Uint8Array, void, undefined> {
  const reader = body?.getReader()
  try {
    while (reader !== undefined) {
      deadline.start(prepared.timeoutMs)
      const { done, value } = await reader.read()
      deadline.stop()
      if (done) return
      yield value
    }
  } catch (error) {
    throw toError(error, prepared, deadline)
  } finally {
    // Also where the reader has enough: the service stops sending.
    deadline.cancel()
  }
}

/** What the caller is to see: the reason of an abort, our error, or what went wrong below us. */
function toError(error: unknown, { asked, timeoutMs, signal }: Prepared, deadline: Deadline): unknown {
  if (signal?.aborted) return signal.reason
  if (error instanceof WatchdataError) return error
  const fault = deadline.isOver ? `no response within ${timeoutMs} ms` : 'the connection failed'
  return new ConnectionError(`${asked}: ${fault}`, { cause: error })
}
