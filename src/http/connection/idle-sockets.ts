// Cuts idle connections: those on which nothing arrives and nothing that was sent is read. Node would move a timer of
// the connection several times with every request. Here each connection only notes how long it may be idle, and once a
// second all are checked by what they have transferred.
import type { Socket } from 'node:net'
import { limits } from './limits.ts'

interface Idle {
  /** How long the connection may be idle; 0 means for ever. */
  maxMs: number
  sinceMs: number
  /** The bytes transferred until `sinceMs`; `unknown` where the time begins anew with the next check. */
  transferred: number
}

/** What Node keeps of the operating system's socket. */
interface Handle {
  readonly bytesRead: number
  /** Includes those that wait in the queue. */
  readonly bytesWritten: number
  readonly writeQueueSize: number
}

const idle = Symbol('idle')
const unknown = -1

declare module 'node:net' {
  interface Socket {
    [idle]?: Idle
  }
}

/** Call it before anything else sets a timeout of the socket: `setTimeout` then only notes it. */
export function noteTimeout(socket: Socket): void {
  socket[idle] = { maxMs: 0, sinceMs: 0, transferred: unknown }
  socket.setTimeout = setIdleTimeout
}

/** Emits 'timeout' on sockets that are idle for too long. Returns a function that ends the checks. */
export function checkIdleSockets(sockets: Iterable<Socket>): () => void {
  const checks = setInterval(() => {
    const nowMs = performance.now()
    for (const socket of sockets) {
      // Nobody listens to a socket that Node has handed over, as after CONNECT.
      if (isIdle(socket, nowMs) && !socket.emit('timeout')) socket.destroy()
    }
  }, limits.connectionCheckMs)
  checks.unref()
  return () => clearInterval(checks)
}

/** Replaces the method of the socket. */
function setIdleTimeout(this: Socket, timeoutMs: number, onTimeout?: () => void): Socket {
  const state = this[idle] as Idle
  state.maxMs = timeoutMs
  state.transferred = unknown
  if (onTimeout !== undefined) this.once('timeout', onTimeout)
  return this
}

/** True once for each time that the socket was idle for too long. */
function isIdle(socket: Socket, nowMs: number): boolean {
  const state = socket[idle]
  const { _handle: handle } = socket as unknown as { readonly _handle: Handle | null }
  if (state === undefined || handle === null) return false
  const transferred = handle.bytesRead + handle.bytesWritten - handle.writeQueueSize
  if (transferred !== state.transferred) {
    state.transferred = transferred
    state.sinceMs = nowMs
  }
  if (state.maxMs === 0 || nowMs - state.sinceMs < state.maxMs) return false
  state.sinceMs = nowMs
  return true
}
