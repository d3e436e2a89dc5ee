import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { deleteKey, findKey, storeKey } from './stored-key.ts'

const ada = 'ada@example.org'
let kept: Map<string, string>

/** The part of sessionStorage that the code uses. */
beforeEach(() => {
  kept = new Map()
  vi.stubGlobal('sessionStorage', {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  })
})
afterEach(() => vi.unstubAllGlobals())

test('a key is found by its account', () => {
  expect(storeKey(ada, 'wd_live_1')).toBe(true)
  expect(findKey(ada)).toBe('wd_live_1')
  deleteKey()
  expect(findKey(ada)).toBeUndefined()
})

test('another account in the tab does not see the key, and looking for it deletes it', () => {
  for (const other of ['bob@example.org', '']) {
    storeKey(ada, 'wd_live_1')
    expect(findKey(other)).toBeUndefined()
    expect(kept.size).toBe(0)
    expect(findKey(ada)).toBeUndefined()
  }
})

test('a stored value in any other shape is deleted', () => {
  for (const written of ['wd_live_1', '{"key":"wd_live_1"}', 'null', '{"account":"","key":"wd_live_1"}']) {
    kept.set('watchdata.key', written)
    expect(findKey('')).toBeUndefined()
    expect(kept.size).toBe(0)
  }
})

test('a browser without storage causes no error', () => {
  vi.stubGlobal('sessionStorage', undefined)
  expect(storeKey(ada, 'wd_live_1')).toBe(false)
  expect(findKey(ada)).toBeUndefined()
})
