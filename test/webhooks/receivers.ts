// Provides webhook receivers for tests, on loopback: one that responds over HTTP, and one that responds with any bytes
// the test chooses.
import { once } from 'node:events'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Receiver {
  readonly url: string
  readonly port: number
  /** The number of connections so far. */
  readonly connections: () => number
  /** Resolves once no connection is open. */
  readonly closed: () => Promise<void>
}

export async function openReceiver(answer: RequestListener): Promise<Receiver> {
  const server = createHttpServer(answer)
  return watch(server, '127.0.0.1')
}

/** `answer` is called when the first bytes of a connection arrive. */
export async function openRawReceiver(answer: (socket: Socket) => void): Promise<Receiver> {
  return watch(
    createServer((socket) => socket.once('data', () => answer(socket))),
    '127.0.0.1',
  )
}

export async function watch(server: Server, host: string): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections++
    sockets.add(socket.on('error', () => {}).once('close', () => sockets.delete(socket)))
  })
  const closed = async () => {
    const closing = [...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    await Promise.all(closing)
  }
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/hook`, port, connections: () => connections, closed }
}
