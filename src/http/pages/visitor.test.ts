// Tests that a request that changes something comes from our own pages, or from no page at all.
import { describe, expect, test } from 'vitest'
import { isForeign, ownOrigins } from './visitor.ts'

describe('a request is foreign', () => {
  const own = ownOrigins('https://watches.example')
  test.each([
    [{}, false],
    [{ origin: 'https://watches.example' }, false],
    [{ origin: 'https://watches.example', 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ origin: 'https://watches.example.evil' }, true],
    [{ origin: 'http://watches.example' }, true],
    [{ origin: 'null' }, true],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ origin: 'https://watches.example', 'sec-fetch-site': 'cross-site' }, true],
  ])('%o: %s', (headers, expected) => {
    expect(isForeign({ headers }, own)).toBe(expected)
  })
})

test('a loopback host may be called by any of its names, on the same port', () => {
  expect(ownOrigins('http://127.0.0.1:8080')).toEqual([
    'http://127.0.0.1:8080',
    'http://localhost:8080',
    'http://[::1]:8080',
  ])
  expect(ownOrigins('http://localhost')).toContain('http://127.0.0.1')
  expect(ownOrigins('https://a.example:8443')).toEqual(['https://a.example:8443'])
})
