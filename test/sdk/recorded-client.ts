// Makes clients for tests that record what they send and what they get.
import { type ClientOptions, Watchdata } from '../../sdk/src/index.ts'

interface Exchanged {
  readonly url: string
  readonly headers: Headers
  readonly status: number
}

export interface RecordedClient {
  readonly client: Watchdata
  readonly exchanged: Exchanged[]
}

/** `onResponse` is called before the client gets the response. */
export function recordedClient(
  options: ClientOptions,
  onResponse: (response: Response) => unknown = () => {},
): RecordedClient {
  const exchanged: Exchanged[] = []
  const client = new Watchdata({
    ...options,
    fetch: async (url, init) => {
      const response = await fetch(url, init)
      exchanged.push({ url: String(url), headers: new Headers(init?.headers), status: response.status })
      await onResponse(response)
      return response
    },
  })
  return { client, exchanged }
}
