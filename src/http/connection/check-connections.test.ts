// Tests which connections are cut as idle or slow, with the counters of a socket and a clock set by hand.
import { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkConnections } from './check-connections.ts'
import { noteTimeout } from './idle-sockets.ts'
import { SendQueues } from './kernel-queues.ts'
import { limits } from './limits.ts'
import { owesNothing } from './slow-readers.ts'

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

/** `isKnown` as on Linux: what the client has not received, the operating system keeps. */
function open(isKnown = false) {
  let resets = 0
  const handle = { bytesRead: 0, bytesWritten: 0, writeQueueSize: 0 }
  const socket = Object.assign(new EventEmitter(), {
    _handle: handle as typeof handle | null,
    remoteAddress: '10.0.0.1',
    remotePort: 4_000,
    resetAndDestroy: () => void resets++,
  }) as unknown as Socket
  Object.defineProperty(socket, 'writableLength', { get: () => handle.writeQueueSize })
  const system = { queuedBytes: 0 }
  const readQueues = async () => {
    const client = { address: '0100000A', bytes: system.queuedBytes }
    return new SendQueues(isKnown, new Map([[4_000, [client]]]))
  }
  let cuts = 0
  socket.on('timeout', () => cuts++)
  noteTimeout(socket)
  owesNothing(socket)
  stop = checkConnections({ sockets: [socket], readQueues, onCut: () => {}, onError: failTest })
  return { socket, handle, system, cuts: () => cuts, resets: () => resets }
}

function failTest(error: unknown): never {
  throw error
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

describe('a connection', async () => {
  test('is cut once it is idle for as long as its timeout, at most two seconds later', async () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    await pass(maxMs - 1)
    expect(cuts()).toBe(0)
    await pass(lateMaxMs)
    expect(cuts()).toBe(1)
  })

  test('is destroyed if nobody listens, as after CONNECT', async () => {
    const { socket } = open()
    const destroy = vi.fn()
    Object.assign(socket, { destroy }).removeAllListeners('timeout')
    socket.setTimeout(maxMs)
    await pass(maxMs + lateMaxMs)
    expect(destroy).toHaveBeenCalledOnce()
  })

  test.each(['it sends', 'it is sent something'])('stays while %s', async (what) => {
    const { socket, handle, cuts } = open()
    socket.setTimeout(maxMs)
    for (let times = 0; times < 5; times++) {
      await pass(maxMs - 1_000)
      if (what === 'it sends') handle.bytesRead++
      else handle.bytesWritten++
    }
    expect(cuts()).toBe(0)
  })

  test('is cut if more is queued for it and it reads nothing', async () => {
    const { socket, handle, cuts, resets } = open()
    socket.setTimeout(maxMs)
    for (let ms = 0; ms < maxMs + lateMaxMs; ms += 1_000) {
      handle.bytesWritten += 100
      handle.writeQueueSize += 100
      await pass(1_000)
    }
    expect(cuts() + resets()).toBeGreaterThan(0)
  })

  test('gets its whole time anew when a timeout is set, and none where it is 0', async () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    await pass(maxMs - 1_000)
    socket.setTimeout(maxMs)
    await pass(maxMs - 1_000)
    expect(cuts()).toBe(0)
    socket.setTimeout(0)
    await pass(maxMs * 10)
    expect(cuts()).toBe(0)
  })

  test('that is closed already is left alone', async () => {
    const { socket, cuts } = open()
    socket.setTimeout(maxMs)
    Object.assign(socket, { _handle: null })
    await pass(maxMs * 10)
    expect(cuts()).toBe(0)
  })

  test.each([
    ['a few bytes each second', 1, 100],
    ['just too little', 1, limits.readBytesPerSecond - 1],
    ['too little, all in one piece every four seconds', 4, 4 * limits.readBytesPerSecond - 1],
  ])('whose client reads %s is cut within 15 seconds', async (_what, seconds, bytes) => {
    const { handle, resets } = owing()
    for (let at = 1; at <= 15; at++) {
      await pass(1_000)
      if (at % seconds === 0) handle.writeQueueSize -= bytes
    }
    expect(resets()).toBeGreaterThan(0)
  })

  test.each([
    ['10 KB each second', 1, 10_000],
    ['100 KB every ten seconds, as the system takes it from a large buffer', 10, 100_000],
  ])('whose client reads %s stays', async (_what, seconds, bytes) => {
    const { handle, resets } = owing()
    for (let at = 1; at < 90; at++) {
      await pass(1_000)
      if (at % seconds === 0) handle.writeQueueSize -= bytes
    }
    expect(resets()).toBe(0)
  })

  test('that pauses after it has read everything is not slow', async () => {
    const { handle, resets } = owing()
    await pass(10_000)
    handle.writeQueueSize = 0
    await pass(10_000)
    handle.bytesWritten += 1_000
    handle.writeQueueSize = 1_000
    await pass(10_000)
    expect(resets()).toBe(0)
  })
})

/** A connection with a megabyte that its client has yet to read. */
function owing() {
  const opened = open()
  opened.handle.bytesWritten = 1_000_000
  opened.handle.writeQueueSize = 1_000_000
  return opened
}

describe('a connection for which the operating system has taken everything', () => {
  test.each([
    ['nothing', 0],
    ['just too little', limits.readBytesPerSecond - 1],
  ])('is cut within 15 seconds where its client receives %s', async (_what, bytes) => {
    const { handle, system, resets } = open(true)
    handle.bytesWritten = 100_000
    system.queuedBytes = 100_000
    for (let at = 1; at < 15; at++) {
      await pass(1_000)
      system.queuedBytes -= bytes
    }
    expect(resets()).toBeGreaterThan(0)
  })

  test('is cut within 15 seconds though it is sent another response each second, because its client receives little', async () => {
    const { handle, system, resets } = open(true)
    for (let at = 1; at < 15; at++) {
      handle.bytesWritten += 20_000
      system.queuedBytes += 19_000
      await pass(1_000)
    }
    expect(resets()).toBeGreaterThan(0)
  })

  test('stays while its client receives each small response before the checks end, though one is always under way', async () => {
    const { handle, system, resets } = open(true)
    for (let at = 1; at < 60; at++) {
      handle.bytesWritten += 300
      system.queuedBytes = 300
      await pass(1_000)
    }
    expect(resets()).toBe(0)
  })

  test('stays while its client receives 3 KB each second, and more is sent all the time', async () => {
    const { handle, system, resets } = open(true)
    for (let at = 1; at < 60; at++) {
      handle.bytesWritten += 20_000
      system.queuedBytes += 17_000
      await pass(1_000)
    }
    expect(resets()).toBe(0)
  })
})

test('of many connections, a few hundred are checked in one run of the event loop, and all within the second', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setImmediate', 'performance'] })
  let checks = 0
  const sockets = Array.from({ length: limits.checkedAtOnce * 3 }, () => {
    const handle = { bytesRead: 0, bytesWritten: 0, writeQueueSize: 0 }
    const socket = Object.assign(new EventEmitter(), { _handle: handle, writableLength: 0 })
    noteTimeout(socket as unknown as Socket)
    Object.defineProperty(handle, 'bytesRead', { get: () => checks++ })
    return socket as unknown as Socket
  })
  const readQueues = async () => new SendQueues(false, new Map())
  stop = checkConnections({ sockets, readQueues, onCut: () => {}, onError: failTest })
  await vi.advanceTimersToNextTimerAsync()
  expect(checks).toBe(limits.checkedAtOnce)
  await pass(limits.connectionCheckMs - 1)
  expect(checks).toBe(sockets.length)
})
