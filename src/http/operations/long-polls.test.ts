import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { expect, test } from 'vitest'
import { LongPolls } from './long-polls.ts'

const longMs = 60_000

function open(limits?: { perAccount: number; inAll: number }) {
  const hearers: (() => void)[] = []
  const draining = new AbortController()
  const polls = new LongPolls((hear) => void hearers.push(hear), draining.signal, limits)
  const advance = () => {
    for (const hear of hearers) hear()
  }
  return { polls, advance, draining }
}

function response(): ServerResponse {
  return Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
}

test('a change ends the wait only if it is enough', async () => {
  const { polls, advance } = open()
  let sequence = 1
  const waiting = polls.wait('a', longMs, response(), () => sequence >= 3)
  const any = polls.wait('a', longMs, response())
  sequence = 2
  advance()
  expect(await any).toBe('change')
  sequence = 3
  advance()
  expect(await waiting).toBe('change')
})

test('beyond the limits of an account, and of all, nobody waits', async () => {
  const { polls, draining } = open({ perAccount: 2, inAll: 3 })
  const waiting = ['a', 'a', 'b'].map((account) => polls.wait(account, longMs, response()))
  expect(await polls.wait('a', longMs, response())).toBe('time')
  expect(await polls.wait('c', longMs, response())).toBe('time')
  draining.abort()
  expect(await Promise.all(waiting)).toEqual(['time', 'time', 'time'])
})

test('the wait of a client that disconnects makes room for another', async () => {
  const { polls, advance } = open({ perAccount: 1, inAll: 1 })
  const first = response()
  const waiting = polls.wait('a', longMs, first)
  first.emit('close')
  expect(await waiting).toBe('gone')
  const next = polls.wait('a', longMs, response())
  advance()
  expect(await next).toBe('change')
})
