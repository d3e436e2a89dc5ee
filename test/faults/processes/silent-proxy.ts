// Simulates a network that goes silent: a proxy on loopback that can stop forwarding bytes without closing
// connections.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface SilentProxy {
  readonly port: number
  /** Stops forwarding on all connections. */
  silence(): void
  /** Silences the current connections for ever; new connections work. */
  abandon(): void
  speak(): void
  close(): Promise<void>
}

export async function openSilentProxy(target: { hostname: string; port: string }): Promise<SilentProxy> {
  const sockets = new Set<Socket>()
  const abandoned = new WeakSet<Socket>()
  let isSilent = false
  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from)
      from.on('data', (bytes) => to.write(bytes))
      from.on('error', () => {})
      from.on('close', () => {
        sockets.delete(from)
        to.destroy()
      })
      if (isSilent) from.pause()
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true
      for (const socket of sockets) socket.pause()
    },
    abandon() {
      for (const socket of sockets) abandoned.add(socket.pause())
    },
    speak() {
      isSilent = false
      for (const socket of sockets) if (!abandoned.has(socket)) socket.resume()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
