// Checks all connections once a second, a few hundred at a time so that no request waits for it: cuts those that are idle
// or read too slowly, and notes what streams owe.
import type { Socket } from 'node:net'
import { isIdleTooLong } from './idle-sockets.ts'
import type { SendQueues } from './kernel-queues.ts'
import { limits } from './limits.ts'
import type { OnCut } from './owed-bytes.ts'
import { noteOwed, owedBytes } from './peer.ts'
import { noteTaken, readsTooSlowly } from './slow-readers.ts'

export interface Checked {
  readonly sockets: Iterable<Socket>
  readonly readQueues: () => Promise<SendQueues>
  readonly onCut: OnCut
  readonly onError: (error: unknown) => void
}

/** Returns a function that ends the checks. */
export function checkConnections({ sockets, readQueues, onCut, onError }: Checked): () => void {
  let isChecking = false
  let isEnded = false
  let rounds = 0
  const forEach = async (visit: (socket: Socket) => void) => {
    let visited = 0
    for (const socket of sockets) {
      if (visited++ === limits.checkedAtOnce) {
        visited = 1
        await nextRun()
        if (isEnded) return
      }
      visit(socket)
    }
  }
  const checkAll = async () => {
    if (++rounds % limits.readCheckRounds === 0) {
      await forEach(noteTaken)
      const queues = await readQueues()
      await forEach((socket) => cutSlow(socket, queues, onCut))
    }
    const nowMs = performance.now()
    await forEach((socket) => check(socket, nowMs))
  }
  const checks = setInterval(() => {
    // The last round is not complete where the machine is very busy.
    if (isChecking) return
    isChecking = true
    checkAll()
      .catch(onError)
      .finally(() => {
        isChecking = false
      })
  }, limits.connectionCheckMs)
  checks.unref()
  return () => {
    clearInterval(checks)
    isEnded = true
  }
}

function nextRun(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

function cutSlow(socket: Socket, queues: SendQueues, onCut: OnCut): void {
  if (!readsTooSlowly(socket, queues)) return
  socket.resetAndDestroy()
  onCut('slow_reader')
}

function check(socket: Socket, nowMs: number): void {
  // Nobody listens to a socket that Node has handed over, as after CONNECT.
  if (isIdleTooLong(socket, nowMs) && !socket.emit('timeout')) socket.destroy()
  if (socket.writableLength !== socket[owedBytes]) noteOwed(socket)
}
