import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { findKey, forgetKey, keepKey } from './kept-key.ts'

const ada = 'ada@example.org'
let kept: Map<string, string>

/** As much of a browser's as is asked. */
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a key is found by whose it is', () => {
  expect(keepKey(ada, 'wd_live_1')).toBe(true)
  expect(findKey(ada)).toBe('wd_live_1')
  forgetKey()
  expect(findKey(ada)).toBeUndefined()
})

test('anyone else in the tab does not see it, and nobody does from then on', () => {
  for (const other of ['bob@example.org', '']) {
    keepKey(ada, 'wd_live_1')
    expect(findKey(other)).toBeUndefined()
    expect(kept.size).toBe(0)
    expect(findKey(ada)).toBeUndefined()
  }
})

test('what is not one of ours is forgotten', () => {
  for (const written of ['wd_live_1', '{"key":"wd_live_1"}', 'null', '{"account":"","key":"wd_live_1"}']) {
    kept.set('watchdata.key', written)
    expect(findKey('')).toBeUndefined()
    expect(kept.size).toBe(0)
  }
})

test('a browser that keeps nothing is no obstacle', () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(keepKey(ada, 'wd_live_1')).toBe(false)
  expect(findKey(ada)).toBeUndefined()
})
