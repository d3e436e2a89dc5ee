// A local server that fails as it is told: each request is answered by the next of its handlers, the last one again and
// again. It records the requests.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { endLater } from '../lifetime.ts'

export type FaultyHandler = (response: ServerResponse, request: IncomingMessage) => void

export interface FaultyServer {
  readonly baseUrl: string
  readonly requests: IncomingMessage[]
}

export async function openFaultyServer(...handlers: readonly FaultyHandler[]): Promise<FaultyServer> {
  const requests: IncomingMessage[] = []
  const server = createServer((request, response) => {
    request.resume()
    const handler = handlers[Math.min(requests.length, handlers.length - 1)]
    requests.push(request)
    handler?.(response, request)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endLater(() => {
    server.closeAllConnections()
    server.close()
  })
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): FaultyHandler {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Cuts the connection. */
export const cut: FaultyHandler = (response) => {
  response.destroy()
}

/** Never answers. */
export const silent: FaultyHandler = () => {}
