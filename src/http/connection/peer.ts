// The peer of a connection: all connections of one client address together, and the bytes that they owe. A connection
// owes the bytes of its responses that were handed to Node and that the operating system has not taken yet.
import type { Socket } from 'node:net'
import { limits } from './limits.ts'

export interface Peer {
  /** The address, or its network for IPv6. */
  readonly subject: string
  /** Carries the requests of many clients, so that the limits per address do not apply. */
  readonly isProxy: boolean
  readonly sockets: Set<Socket>
  owedBytes: number
  /** Connections whose next request waits until the peer owes less. */
  readonly delayed: Set<Socket>
  /** Notes what a connection of the peer owes now. */
  readonly noteOwed: (socket: Socket) => void
}

/** Properties, because they cost less than a WeakMap. */
export const peerOf = Symbol('peer')
export const owedBytes = Symbol('owed bytes')

declare module 'node:net' {
  interface Socket {
    [peerOf]?: Peer | undefined
    /** As noted last. */
    [owedBytes]?: number
  }
}

/** Call it when the connection opens: see remembered-caller.ts. */
export function assignPeer(socket: Socket, peer: Peer | undefined): void {
  socket[peerOf] = peer
  socket[owedBytes] = 0
}

export function noteOwed(socket: Socket): void {
  socket[peerOf]?.noteOwed(socket)
}

/** Whether the peer must read before its next request is started. */
export function owesTooMuch({ owedBytes: owed, isProxy }: Peer): boolean {
  return owed > limits.owedBytesPerAddress && !isProxy
}

/** Whether the peer has so many connections that they are read in turns. */
export function isCrowded(socket: Socket): boolean {
  const peer = socket[peerOf]
  return peer !== undefined && !peer.isProxy && peer.sockets.size > limits.readDirectly
}

/** Whether the next request of the connection has to wait; it is then started when the peer owes less. */
export function isDelayed(socket: Socket): boolean {
  const peer = socket[peerOf]
  if (peer === undefined || !owesTooMuch(peer)) return false
  peer.delayed.add(socket)
  return true
}
