// Bounds the bytes that clients have not read yet. What an address owes delays only the next requests of that address;
// where all together owe too much, the connections of the address that owes most are cut, largest first.
import type { Socket } from 'node:net'
import type { ConnectionCut } from '../../metrics.ts'
import { owedBytes, owesTooMuch, type Peer, peerOf } from './peer.ts'

/** Called for every connection that is refused or cut. */
export type OnCut = (reason: ConnectionCut) => void

/** The part of the bound that is left after connections were cut, so that not every response has to cut one. */
const keptShare = 7 / 8

export class OwedBytes {
  readonly #maxBytes: number
  readonly #resume: (socket: Socket) => void
  readonly #onCut: OnCut
  readonly #owing = new Set<Peer>()
  #total = 0

  /** `resume` lets a connection that was delayed start its next request, soon but not at once. */
  constructor(maxBytes: number, resume: (socket: Socket) => void, onCut: OnCut) {
    this.#maxBytes = maxBytes
    this.#resume = resume
    this.#onCut = onCut
  }

  get total(): number {
    return this.#total
  }

  /** Notes what the connection owes now. */
  readonly note = (socket: Socket): void => {
    this.#set(socket, socket.destroyed ? 0 : socket.writableLength)
    if (this.#total > this.#maxBytes) this.#cutMost()
  }

  /** The connection is closed. */
  forget(socket: Socket): void {
    socket[peerOf]?.delayed.delete(socket)
    this.#set(socket, 0)
  }

  #set(socket: Socket, bytes: number): void {
    const peer = socket[peerOf]
    const change = bytes - (socket[owedBytes] ?? 0)
    if (peer === undefined || change === 0) return
    socket[owedBytes] = bytes
    peer.owedBytes += change
    this.#total += change
    if (peer.owedBytes > 0) this.#owing.add(peer)
    else this.#owing.delete(peer)
    if (change < 0) this.#resumeDelayed(peer)
  }

  #resumeDelayed(peer: Peer): void {
    if (peer.delayed.size === 0 || owesTooMuch(peer)) return
    // Each is delayed again if the peer owes too much by its turn.
    for (const socket of peer.delayed) this.#resume(socket)
    peer.delayed.clear()
  }

  #cutMost(): void {
    const keptBytes = this.#maxBytes * keptShare
    while (this.#total > keptBytes) {
      let most: Peer | undefined
      for (const peer of this.#owing) if (peer.owedBytes > (most?.owedBytes ?? 0)) most = peer
      if (most === undefined) return
      this.#cutLargest(most, keptBytes)
    }
  }

  /** Cuts down to half at most: another address may owe more by then. */
  #cutLargest(peer: Peer, keptBytes: number): void {
    const half = peer.owedBytes / 2
    const owing = [...peer.sockets].filter((socket) => owes(socket) > 0)
    for (const socket of owing.sort((one, other) => owes(other) - owes(one))) {
      if (this.#total <= keptBytes || peer.owedBytes <= half) return
      this.forget(socket)
      socket.resetAndDestroy()
      this.#onCut('unread_bytes')
    }
  }
}

function owes(socket: Socket): number {
  return socket[owedBytes] ?? 0
}
