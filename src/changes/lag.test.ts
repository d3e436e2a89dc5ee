import { expect, test } from 'vitest'
import { Lag } from './lag.ts'

test('the lag counts from when the first change that is not processed became known', () => {
  let nowMs = 1_000
  const lag = new Lag(() => nowMs)
  lag.pass(5)
  lag.learn(5)
  expect(lag.ms).toBe(0)
  lag.learn(7)
  nowMs += 100
  lag.learn(7)
  lag.learn(9)
  nowMs += 100
  expect(lag.ms).toBe(200)
  lag.pass(6)
  expect(lag.ms).toBe(200)
  lag.pass(7)
  expect(lag.ms).toBe(100)
  lag.pass(9)
  expect(lag.ms).toBe(0)
})

test('after the log was replaced by a shorter one, nothing is missing', () => {
  const lag = new Lag(() => 1_000)
  lag.pass(5)
  lag.learn(9)
  lag.forget()
  lag.pass(3)
  lag.learn(3)
  expect(lag.ms).toBe(0)
})

test('the time in which the log cannot be read does not count', () => {
  let nowMs = 1_000
  const lag = new Lag(() => nowMs)
  lag.learn(7)
  nowMs += 100
  lag.forget()
  expect(lag.ms).toBeUndefined()
  nowMs += 100
  lag.learn(7)
  expect(lag.ms).toBe(0)
  nowMs += 100
  expect(lag.ms).toBe(100)
})
