// Tests on a real connection that a client is cut which does not read what the operating system has buffered for it.
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseConfig } from '../../config.ts'
import type { ConnectionCut } from '../../metrics.ts'
import { readSendQueues } from './kernel-queues.ts'
import { limits } from './limits.ts'
import { openListener } from './listener.ts'

/** More than the client's side takes without reading, and little enough that the server's side takes the rest. */
const body = Buffer.alloc(600_000)

test.runIf(existsSync('/proc/net/tcp'))(
  'a client is cut within 15 seconds that does not read, though the whole response was sent',
  async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const cuts: ConnectionCut[] = []
    const config = parseConfig({ HOST: '127.0.0.1' })
    const listener = await openListener(config, {
      port: 0,
      portSetting: 'PORT',
      onCut: (reason) => cuts.push(reason),
    })
    onTestFinished(() => listener.close(0))
    let sent = 0
    await listener.serve((_request, response) => void response.end(body).once('close', () => sent++))
    const [silent, reader] = [1, 2].map(() => {
      const socket = connect(Number(new URL(listener.url).port), '127.0.0.1')
      onTestFinished(() => void socket.destroy())
      return socket.on('error', () => {})
    })
    for (const socket of [silent, reader]) {
      socket?.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    }
    silent?.pause()
    reader?.resume()
    await expect.poll(() => sent).toBe(2)
    for (let ms = 0; ms < 15_000; ms += limits.connectionCheckMs) {
      vi.advanceTimersByTime(limits.connectionCheckMs)
      // A check that has begun reads the same tables before.
      for (let times = 0; times < 3; times++) await readSendQueues(Number(new URL(listener.url).port))
      for (let runs = 0; runs < 5; runs++) await setImmediate()
    }
    await expect.poll(() => cuts).toEqual(['slow_reader'])
    expect(reader?.destroyed).toBe(false)
    expect(listener.connections.sockets.size).toBe(1)
  },
)
