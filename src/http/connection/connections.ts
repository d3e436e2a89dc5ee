// The open connections, by the address of the client. Refuses those beyond the share of an address, and makes room for a
// new one by closing an idle one of the address that has most.
import type { Socket } from 'node:net'
import { addressSubject } from '../../access/plans/attempt-limits.ts'
import { idleSinceMs } from './idle-sockets.ts'
import { limits } from './limits.ts'
import { type OnCut, OwedBytes } from './owed-bytes.ts'
import { assignPeer, type Peer, peerOf } from './peer.ts'
import { isBetweenRequests, startNext } from './pipeline.ts'
import { parseNext } from './read-turns.ts'
import { StartQueue } from './start-queue.ts'

export interface ConnectionLimits {
  readonly max: number
  readonly maxPerAddress: number
  readonly owedMaxBytes: number
  readonly isProxy: (address: string) => boolean
  readonly onCut: OnCut
}

export class Connections {
  readonly sockets = new Set<Socket>()
  readonly owed: OwedBytes
  /** The connections that had to wait, for their next request to be read or started. */
  readonly queue = new StartQueue<Socket>((socket) => {
    parseNext(socket)
    startNext(socket)
  })
  readonly #limits: ConnectionLimits
  readonly #peers = new Map<string, Peer>()
  /** Connections that were accepted and wait to enter, by subject, and all together. */
  readonly #waiting = new Map<string, number>()
  #waitingTotal = 0
  /** The peers by how many connections each has: the one with most is found without a look at all. */
  readonly #bySize: Set<Peer>[] = []

  constructor(connectionLimits: ConnectionLimits) {
    this.#limits = connectionLimits
    this.owed = new OwedBytes(connectionLimits.owedMaxBytes, this.queue.add, connectionLimits.onCut)
  }

  /** Decides about a connection that was accepted, by the address of its client. */
  decide(address: string): 'enters' | 'waits' | 'refused' {
    const subject = addressSubject(address)
    const { max, maxPerAddress, onCut } = this.#limits
    const count = (this.#peers.get(subject)?.sockets.size ?? 0) + (this.#waiting.get(subject) ?? 0)
    const isBounded = count >= Math.min(limits.readDirectly, maxPerAddress) && !this.#limits.isProxy(address)
    if (isBounded && count >= maxPerAddress) {
      onCut('address_share')
      return 'refused'
    }
    if (this.sockets.size + this.#waitingTotal >= max && !this.#closeIdle()) {
      onCut('full')
      return 'refused'
    }
    return isBounded ? 'waits' : 'enters'
  }

  /** Notes that one connection more of the address waits to enter, or one less. */
  noteWaiting(address: string, change: 1 | -1): void {
    const subject = addressSubject(address)
    const count = (this.#waiting.get(subject) ?? 0) + change
    if (count === 0) this.#waiting.delete(subject)
    else this.#waiting.set(subject, count)
    this.#waitingTotal += change
  }

  enter(socket: Socket): void {
    // Undefined where the client is gone already.
    const { remoteAddress: address = '' } = socket
    const subject = addressSubject(address)
    const peer = this.#peers.get(subject) ?? this.#open(subject, this.#limits.isProxy(address))
    assignPeer(socket, peer)
    this.sockets.add(socket)
    peer.sockets.add(socket)
    this.#move(peer, peer.sockets.size - 1)
    socket.once('close', () => this.#leave(socket))
  }

  #open(subject: string, isProxy: boolean): Peer {
    const peer: Peer = {
      subject,
      isProxy,
      sockets: new Set(),
      owedBytes: 0,
      delayed: new Set(),
      noteOwed: this.owed.note,
    }
    this.#peers.set(subject, peer)
    return peer
  }

  /** Called twice for a connection that is closed here: its room is free before it reports that it is closed. */
  #leave(socket: Socket): void {
    const peer = socket[peerOf]
    if (peer === undefined || !this.sockets.delete(socket)) return
    this.owed.forget(socket)
    peer.sockets.delete(socket)
    this.#move(peer, peer.sockets.size + 1)
    if (peer.sockets.size === 0) this.#peers.delete(peer.subject)
  }

  /** Puts the peer where it belongs by its number of connections, which was `before`. */
  #move(peer: Peer, before: number): void {
    this.#bySize[before]?.delete(peer)
    const { size } = peer.sockets
    while (this.#bySize.length <= size) this.#bySize.push(new Set())
    if (size > 0) this.#bySize[size]?.add(peer)
    while (this.#bySize.at(-1)?.size === 0) this.#bySize.pop()
  }

  /** Closes the connection that is idle for the longest time, of the address that has most of those with an idle one. */
  #closeIdle(): boolean {
    let looks = 0
    for (let size = this.#bySize.length - 1; size > 0 && looks < limits.idleSearch; size--) {
      for (const peer of this.#bySize[size] ?? []) {
        const idle = longestIdle(peer)
        if (idle !== undefined) {
          this.#leave(idle)
          idle.destroy()
          this.#limits.onCut('idle')
          return true
        }
        looks += size
        if (looks >= limits.idleSearch) break
      }
    }
    return false
  }
}

function longestIdle({ sockets }: Peer): Socket | undefined {
  let found: Socket | undefined
  let foundSinceMs = 0
  for (const socket of sockets) {
    if (!isBetweenRequests(socket)) continue
    const sinceMs = idleSinceMs(socket)
    if (found === undefined || sinceMs < foundSinceMs) {
      found = socket
      foundSinceMs = sinceMs
    }
  }
  return found
}
