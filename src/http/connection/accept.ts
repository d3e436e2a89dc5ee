// Decides about each connection before Node makes a socket of it, which takes five times as long as to accept it. Refuses
// those beyond the bounds, and lets the connections of an address that has many of them wait for their turn: whoever is
// behind them in the queue of the operating system is accepted without waiting for all of that.
import type { Server } from 'node:net'
import type { Connections } from './connections.ts'
import { StartQueue } from './start-queue.ts'

/** Node's own connection of the operating system, and that on which it listens. */
interface Client {
  getpeername(result: { address?: string }): number
  reset(onClosed: () => void): number
}

interface ListeningHandle {
  onconnection: (error: number, client?: Client) => void
}

interface Arrival {
  readonly client: Client
  readonly address: string
}

/** Call it when the server listens. */
export function screenConnections(server: Server, connections: Connections): void {
  const { _handle: handle } = server as unknown as { readonly _handle: ListeningHandle }
  const makeSocket = handle.onconnection
  const turns = new StartQueue<Arrival>(({ client, address }) => {
    connections.noteWaiting(address, -1)
    makeSocket.call(handle, 0, client)
  })
  handle.onconnection = (error, client) => {
    if (client === undefined) {
      makeSocket.call(handle, error)
      return
    }
    const peer: { address?: string } = {}
    client.getpeername(peer)
    const { address = '' } = peer
    connections.queue.standAside()
    turns.standAside()
    switch (connections.decide(address)) {
      case 'refused':
        client.reset(() => {})
        break
      case 'waits':
        connections.noteWaiting(address, 1)
        turns.add({ client, address })
        break
      default:
        makeSocket.call(handle, 0, client)
    }
  }
}
