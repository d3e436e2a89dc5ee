// Cuts idle connections: those on which nothing arrives and nothing that was sent is read. Node would move a timer of
// the connection several times with every request. Here each connection only notes how long it may be idle, and once a
// second all are checked by what they have transferred.
import type { Socket } from 'node:net'

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

/** Replaces the method of the socket. */
function setIdleTimeout(this: Socket, timeoutMs: number, onTimeout?: () => void): Socket {
  const state = this[idle] as Idle
  state.maxMs = timeoutMs
  state.transferred = unknown
  if (onTimeout !== undefined) this.once('timeout', onTimeout)
  return this
}

/** Call it with every check. True once for each time that the socket was idle for too long. */
export function isIdleTooLong(socket: Socket, nowMs: number): boolean {
  const state = socket[idle]
  const handle = handleOf(socket)
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

/** Since when nothing was transferred; infinite where something was since the last check. */
export function idleSinceMs(socket: Socket): number {
  const state = socket[idle]
  return state === undefined || state.transferred === unknown ? Number.POSITIVE_INFINITY : state.sinceMs
}

/** The bytes that the operating system has taken; undefined for a closed connection. */
export function takenBytes(socket: Socket): number | undefined {
  const handle = handleOf(socket)
  return handle === null ? undefined : handle.bytesWritten - handle.writeQueueSize
}

function handleOf(socket: Socket): Handle | null {
  return (socket as unknown as { readonly _handle: Handle | null })._handle
}
