// Attacks by connections: many, idle, or read slowly.
import { once } from 'node:events'
import net, { type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { readMetric } from '../../../bench/measure/serving-process.ts'
import { type Attack, atRate, otherConnections, slowMaxMs, type Target, type Told } from './attack.ts'

const request = 'GET /docs/reference HTTP/1.1\r\nHost: a\r\nAccept: text/html\r\n\r\n'
/** No process can accept connections much more quickly than an attacker opens them. */
const openedPerSecond = 2_000
const openEveryMs = 100
const openedAtOnce = (openedPerSecond * openEveryMs) / 1_000
const checkEveryMs = 1_000

export const pipelinedReaders: Attack = {
  name: '1,000 connections pipeline 16 requests for a page of the docs each, and do not read',
  run: async (target) => {
    const sockets = await open(target, 1_000)
    for (const socket of sockets) if (!socket.destroyed) socket.write(request.repeat(16))
    let mostBytes = 0
    for (const endMs = performance.now() + target.seconds * 1_000; performance.now() < endMs; ) {
      await delay(Math.min(checkEveryMs, target.seconds * 1_000))
      mostBytes = Math.max(mostBytes, await readMetric(target.url, 'watchdata_unread_bytes'))
    }
    for (const socket of sockets) socket.destroy()
    return { reached: `${(mostBytes / 1e6).toFixed(1)} MB were unread at most` }
  },
}

export const slowReaders: Attack = {
  name: '900 connections, 90 more a second, request a page of the docs each, and read 32 bytes a second',
  run: async (target) => {
    const sockets: Socket[] = []
    const reading = setInterval(() => {
      for (const socket of sockets) socket.read(32)
    }, 1_000)
    // The guard of pages admits 100 a second: more would only be told so, in a few bytes.
    await atRate(10, 90, async () => {
      const [socket] = await open(target, 1)
      socket?.write(request)
      if (socket !== undefined) sockets.push(socket)
    })
    const told = await untilCut(target)
    clearInterval(reading)
    for (const socket of sockets) socket.destroy()
    return told
  },
}

export const idleConnections: Attack = {
  name: 'one address opens 10,000 connections and is idle',
  run: async (target) => {
    const sockets = await open(target, Math.min(10_000, openedPerSecond * target.seconds))
    const opened = await readMetric(target.url, 'watchdata_connections')
    await delay(target.seconds * 1_000)
    for (const socket of sockets) socket.destroy()
    return { reached: `${opened} connections were open` }
  },
}

/** A client that does not read is not told that its connection was cut, so the service is asked. */
async function untilCut({ url }: Target): Promise<Told> {
  const startedMs = performance.now()
  const first = await readMetric(url, 'watchdata_connections')
  let left = first
  let elapsedMs = 0
  while (left > otherConnections && elapsedMs < slowMaxMs * 2) {
    await delay(checkEveryMs)
    left = await readMetric(url, 'watchdata_connections')
    elapsedMs = performance.now() - startedMs
  }
  const attackers = Math.max(0, left - otherConnections)
  const reached = `of ${first} connections, ${attackers} were left ${(elapsedMs / 1_000).toFixed(1)} s after the last request`
  return elapsedMs <= slowMaxMs ? { reached } : { reached, broken: 'slow readers are cut within 15 s' }
}

/** Those that were refused are destroyed. */
async function open({ url, address }: Target, count: number): Promise<Socket[]> {
  const { port, hostname } = new URL(url)
  const sockets: Socket[] = []
  for (let opened = 0; opened < count; opened += openedAtOnce) {
    const some = Array.from({ length: Math.min(openedAtOnce, count - opened) }, () => {
      const socket = net.connect({ host: hostname, port: Number(port), localAddress: address })
      return socket.on('error', () => {}).pause()
    })
    // One that is refused may be reset before it counts as connected.
    await Promise.all(some.map((socket) => once(socket, 'connect').catch(() => {})))
    sockets.push(...some)
    if (count > openedAtOnce) await delay(openEveryMs)
  }
  return sockets
}
