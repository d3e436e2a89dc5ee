import { once } from 'node:events'
import { connect } from 'node:net'
import type { Pool } from 'undici'
import { expect, onTestFinished, test } from 'vitest'
import { openReceiver, type Receiver } from '../../../test/webhooks/receivers.ts'
import { Connections } from './connections.ts'

test('beyond the maximum of origins, the least recently used idle one is closed', async () => {
  const receivers = await Promise.all(
    Array.from({ length: 5 }, () => openReceiver((_, answer) => void answer.end())),
  )
  const connections = open(3)
  for (const receiver of receivers) await postTo(connections, receiver)
  expect(connections.originCount).toBe(3)
  await Promise.all(receivers.slice(0, 2).map((receiver) => receiver.closed()))

  await postTo(connections, receivers[2] as Receiver)
  await postTo(connections, receivers[0] as Receiver)
  for (const at of [2, 4, 0]) await postTo(connections, receivers[at] as Receiver)
  expect(receivers.map((receiver) => receiver.connections())).toEqual([2, 1, 1, 1, 1])
})

test('an origin is removed when its last connection is closed, or could not be opened', async () => {
  const receiver = await openReceiver((_, answer) => void answer.setHeader('connection', 'close').end())
  const connections = open(3)
  const pool = connections.poolOf(originOf(receiver))
  const gone = once(pool, 'disconnect')
  await postTo(connections, receiver)
  await gone
  expect(connections.originCount).toBe(0)

  await expect(post(connections.poolOf('http://refused.example:1'))).rejects.toThrow()
  expect(connections.originCount).toBe(0)
})

test('a busy origin is not closed to make room for another', async () => {
  const { promise: isOver, resolve } = Promise.withResolvers<void>()
  const held = await openReceiver((_, answer) => void isOver.then(() => answer.end('late')))
  const other = await openReceiver((_, answer) => void answer.end())
  const connections = open(1)
  const slow = postTo(connections, held)
  await postTo(connections, other)
  resolve()
  expect(await slow).toBe('late')
})

function open(originsMax: number): Connections {
  const connections = new Connections((options, callback) => {
    const socket = connect(Number(options.port), '127.0.0.1')
    socket.once('connect', () => callback(null, socket)).once('error', (error) => callback(error, null))
  }, originsMax)
  onTestFinished(() => connections.close())
  return connections
}

function postTo(connections: Connections, receiver: Receiver): Promise<string> {
  return post(connections.poolOf(originOf(receiver)))
}

async function post(pool: Pool): Promise<string> {
  const { body } = await pool.request({ method: 'POST', path: '/', body: '{}' })
  return body.text()
}

function originOf(receiver: Receiver): string {
  return `http://127.0.0.1:${receiver.port}`
}
