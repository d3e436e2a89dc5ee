// Tells which clients read too slowly: those that owe bytes at every check, and take neither what they owed at the
// beginning of the last checks nor the minimum rate since then. A client that reads a few bytes each second is found as one
// that reads none, and so is one for whom new responses are sent all the time.
import type { Socket } from 'node:net'
import { takenBytes } from './idle-sockets.ts'
import type { SendQueues } from './kernel-queues.ts'
import { limits } from './limits.ts'

const secondMs = 1_000

interface Reading {
  /** The bytes that the operating system had taken just before the queues were read. */
  takenBefore: number
  /** At each of the last checks, how many bytes the client must have received when the window that begins there ends. */
  targets: number[]
}

const reading = Symbol('reading')

declare module 'node:net' {
  interface Socket {
    [reading]?: Reading
  }
}

/** Call it when the connection opens: see remembered-caller.ts. */
export function owesNothing(socket: Socket): void {
  socket[reading] = { takenBefore: 0, targets: [] }
}

/** Call it before the queues are read. */
export function noteTaken(socket: Socket): void {
  const state = socket[reading]
  if (state !== undefined) state.takenBefore = takenBytes(socket) ?? 0
}

/** Call it after the queues were read. */
export function readsTooSlowly(socket: Socket, queues: SendQueues): boolean {
  const state = socket[reading]
  const taken = takenBytes(socket)
  if (state === undefined || taken === undefined) return false
  const { takenBefore, targets } = state
  const queued = queues.of(socket)
  if (queued === 0 && socket.writableLength === 0) {
    if (targets.length > 0) state.targets = []
    return false
  }
  const checks = queues.isKnown ? limits.readChecks : limits.readChecksUnknown
  const windowSeconds = (checks * limits.readCheckRounds * limits.connectionCheckMs) / secondMs
  // Meanwhile more may have been sent. In doubt the client has received less when a window begins, and more when it ends.
  const receivedAtLeast = takenBefore - queued
  targets.push(
    Math.min(receivedAtLeast + windowSeconds * limits.readBytesPerSecond, taken + socket.writableLength),
  )
  if (targets.length <= checks) return false
  return taken - queued < (targets.shift() as number)
}
