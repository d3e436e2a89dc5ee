import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Call, PendingCalls } from './pending-calls.ts'

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

test('long URLs do not fill the memory: the oldest calls are dropped', () => {
  const pending = new PendingCalls()
  const url = 'x'.repeat(8_192)
  for (let at = 0; at < 10_000; at++) pending.add(call(String(at), String(at), { url }), 0)
  expect(takeAll(pending)).toEqual(Array.from({ length: 2_048 }, (_, at) => String(7_952 + at)))
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
