// Tests which connections are cut as idle, with the counters of a socket and a clock set by hand.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkIdleSockets, noteTimeout } from './idle-sockets.ts'

const maxMs = 12_000
/** A check a second, and the time begins with the check after the timeout was set. */
const lateMaxMs = 2_000

let stop = () => {}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
})

afterEach(() => {
  stop()
  vi.useRealTimers()
})

function open() {
  const handle = { bytesRead: 0, bytesWritten: 0, writeQueueSize: 0 }
  const socket = Object.assign(new EventEmitter(), {
    _handle: handle as typeof handle | null,
  }) as unknown as Socket
  let cuts = 0
  socket.on('timeout', () => cuts++)
  noteTimeout(socket)
  stop = checkIdleSockets([socket])
  return { socket, handle, cuts: () => cuts }
}

describe('a connection', () => {
  test('is cut once it is idle for as long as its timeout, at most two seconds later', () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    vi.advanceTimersByTime(maxMs - 1)
    expect(cuts()).toBe(0)
    vi.advanceTimersByTime(lateMaxMs)
    expect(cuts()).toBe(1)
  })

  test('is destroyed if nobody listens, as after CONNECT', () => {
    const { socket } = open()
    const destroy = vi.fn()
    Object.assign(socket, { destroy }).removeAllListeners('timeout')
    socket.setTimeout(maxMs)
    vi.advanceTimersByTime(maxMs + lateMaxMs)
    expect(destroy).toHaveBeenCalledOnce()
  })

  test.each(['it sends', 'it is sent something', 'it reads what was sent'])('stays while %s', (what) => {
    const { socket, handle, cuts } = open()
    handle.bytesWritten = 1_000
    handle.writeQueueSize = 1_000
    socket.setTimeout(maxMs)
    for (let times = 0; times < 5; times++) {
      vi.advanceTimersByTime(maxMs - 1_000)
      if (what === 'it sends') handle.bytesRead++
      else if (what === 'it is sent something') handle.bytesWritten++
      else handle.writeQueueSize--
    }
    expect(cuts()).toBe(0)
  })

  test('is cut if more is queued for it and it reads nothing', () => {
    const { socket, handle, cuts } = open()
    socket.setTimeout(maxMs)
    for (let ms = 0; ms < maxMs + lateMaxMs; ms += 1_000) {
      handle.bytesWritten += 100
      handle.writeQueueSize += 100
      vi.advanceTimersByTime(1_000)
    }
    expect(cuts()).toBe(1)
  })

  test('gets its whole time anew when a timeout is set, and none where it is 0', () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    vi.advanceTimersByTime(maxMs - 1_000)
    socket.setTimeout(maxMs)
    vi.advanceTimersByTime(maxMs - 1_000)
    expect(cuts()).toBe(0)
    socket.setTimeout(0)
    vi.advanceTimersByTime(maxMs * 10)
    expect(cuts()).toBe(0)
  })

  test('that is closed already is left alone', () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    Object.assign(socket, { _handle: null })
    vi.advanceTimersByTime(maxMs * 10)
    expect(cuts()).toBe(0)
  })
})
