// Runs a webhook receiver for tests: stores the requests it receives and responds as the test decides.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly text: string
  readonly body: ReceivedEvent
  /** The status it was answered with. */
  readonly status: number
}

interface ReceivedEvent {
  readonly type: string
  readonly timestamp: string
  readonly data: {
    readonly sequence?: number
    readonly previous_sequence?: number
    readonly watch_id?: number
    readonly brand_id?: number
    // biome-ignore lint/suspicious/noExplicitAny: read by tests, which know what they sent
    readonly [member: string]: any
  }
}

export interface Receiver {
  /** Ends with a slash. */
  readonly url: string
  readonly received: Received[]
  /** Returns the status of the response; a test may replace it. */
  answer: (event: ReceivedEvent, path: string) => number | Promise<number>
  /** The requests answered with a success status. */
  taken(path?: string): Received[]
  close(): Promise<void>
}

export async function openReceiver(port = 0): Promise<Receiver> {
  const received: Received[] = []
  const receiver: Receiver = {
    url: '',
    received,
    answer: () => 204,
    taken: (path) => received.filter((one) => one.status < 300 && (path === undefined || one.path === path)),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const text = Buffer.concat(chunks).toString()
    const body: ReceivedEvent = JSON.parse(text)
    const path = request.url ?? ''
    const status = await receiver.answer(body, path)
    received.push({ path, headers: request.headers, text, body, status })
    response.writeHead(status).end(status === 204 ? undefined : `answered ${status}`)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const { port: given } = server.address() as AddressInfo
  return Object.assign(receiver, { url: `http://127.0.0.1:${given}/` })
}
