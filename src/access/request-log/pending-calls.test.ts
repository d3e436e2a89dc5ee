import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Call, PendingCalls } from './pending-calls.ts'
import { statusRowsOf } from './request-rows.ts'

const dayMs = 86_400_000

function call(accountId: string, requestId: string, more: Partial<Call> = {}): Call {
  return { accountId, keyId: 'k', method: 'GET', url: '/', status: 200, durationMs: 1, requestId, ...more }
}

function takeAll(pending: PendingCalls): string[] {
  return pending.takeCalls(1_000_000, pending.lastSequence).map(({ requestId }) => requestId)
}

test('the newest 1,000 calls of each account are kept, in order of arrival', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({
          account: fc.constantFrom('a', 'b', 'c'),
          times: fc.constantFrom(1, 2, 600),
          taken: fc.constantFrom(0, 0, 0, 1, 700),
        }),
        { maxLength: 12 },
      ),
      (steps) => {
        const pending = new PendingCalls()
        let naive: { account: string; id: string }[] = []
        let count = 0
        for (const { account, times, taken } of steps) {
          for (let at = 0; at < times; at++) {
            const id = String(++count)
            pending.add(call(account, id), 0)
            naive.push({ account, id })
          }
          const own = naive.filter((one) => one.account === account)
          const gone = new Set(own.slice(0, -1_000))
          naive = naive.filter((one) => !gone.has(one))
          const out = pending.takeCalls(taken, pending.lastSequence).map(({ requestId }) => requestId)
          expect(out).toEqual(naive.splice(0, taken).map(({ id }) => id))
        }
        expect(takeAll(pending)).toEqual(naive.map(({ id }) => id))
      },
    ),
    { numRuns: 30 },
  )
})

test('the newest 50,000 calls of all accounts are kept, and every call is counted', () => {
  const pending = new PendingCalls()
  for (let at = 0; at < 60_000; at++) pending.add(call(`account ${at % 100}`, String(at)), 0)
  expect(takeAll(pending)).toEqual(Array.from({ length: 50_000 }, (_, at) => String(10_000 + at)))
  const counts = pending.takeCounts(1_000)
  expect([counts.length, new Set(counts.map(({ count }) => count))]).toEqual([100, new Set([600])])
  expect([pending.accounts, pending.takeCounts(1_000)]).toEqual([0, []])
})

test('long URLs do not fill the memory: the oldest calls are dropped, the newest 16 MB stay', () => {
  const pending = new PendingCalls()
  const url = 'x'.repeat(8_192)
  const added = 10_000
  for (let at = 0; at < added; at++) pending.add(call(String(at), String(at), { url }), 0)
  const kept = takeAll(pending)
  expect(kept).toEqual(Array.from(kept, (_, at) => String(added - kept.length + at)))
  expect(kept.length * url.length).toBeGreaterThan(15.5 * 1024 * 1024)
  expect(kept.length * url.length).toBeLessThan(32 * 1024 * 1024)
})

test('a call is taken as it was added', () => {
  const pending = new PendingCalls()
  const text = fc.string({ unit: fc.integer({ min: 0, max: 255 }).map((code) => String.fromCharCode(code)) })
  const oneCall = fc.record({
    accountId: fc.constantFrom('a', 'b'),
    keyId: fc.constantFrom('k', 'l', 'm'),
    method: fc.constantFrom('GET', 'DELETE'),
    url: text,
    status: fc.integer({ min: 200, max: 599 }),
    durationMs: fc.double({ min: 0, noNaN: true }),
    requestId: text,
  })
  fc.assert(
    fc.property(fc.array(oneCall), fc.nat(), (calls, atMs) => {
      for (const one of calls) pending.add(one, atMs)
      const taken = pending.takeCalls(1_000, pending.lastSequence)
      expect(taken.map(({ sequence, ...rest }) => rest)).toEqual(calls.map((one) => ({ ...one, atMs })))
    }),
  )
})

test('a call added during a flush stays for the next flush', () => {
  const pending = new PendingCalls()
  pending.add(call('a', '1'), 0)
  const { lastSequence } = pending
  pending.add(call('a', '2'), 0)
  expect(pending.takeCalls(10, lastSequence).map(({ requestId }) => requestId)).toEqual(['1'])
  expect(pending.takeCounts(10)).toEqual([{ accountId: 'a', day: 0, status: 200, count: 2 }])
  pending.add(call('a', '3', { status: 404 }), dayMs)
  expect(takeAll(pending)).toEqual(['2', '3'])
  expect(pending.takeCounts(10)).toEqual([{ accountId: 'a', day: 1, status: 404, count: 1 }])
})

test('counts of several days and statuses are taken together, each once', () => {
  const pending = new PendingCalls()
  const days = [0, 0, 0, 1, 1, 2]
  const statuses = [200, 404, 200, 404, 200, 200]
  days.forEach((day, at) => {
    pending.add(call('a', String(at), { status: statuses[at] as number }), day * dayMs)
  })
  takeAll(pending)
  expect(
    statusRowsOf([...pending.takeCounts(10), { accountId: 'a', day: 1, status: 404, count: 5 }]),
  ).toEqual([
    ['a', '1970-01-01', 200, 2],
    ['a', '1970-01-01', 404, 1],
    ['a', '1970-01-02', 200, 1],
    ['a', '1970-01-02', 404, 6],
    ['a', '1970-01-03', 200, 1],
  ])
  expect(pending.takeCounts(10)).toEqual([])
})
