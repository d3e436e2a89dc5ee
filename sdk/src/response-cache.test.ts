// Tests what the cache keeps, and for how long.
import { expect, test } from 'vitest'
import { ResponseCache } from './response-cache.ts'

const received = (text: string, headers: Record<string, string>) => ({
  response: new Response(text, { headers }),
  text,
})

test('the least recently used response leaves first', () => {
  const cache = new ResponseCache(2)
  for (const url of ['/a', '/b']) cache.keep(url, received(url, { etag: url }))
  cache.find('/a')
  cache.keep('/c', received('c', { etag: 'c' }))
  expect(['/a', '/b', '/c'].map((url) => cache.find(url)?.etag)).toEqual(['/a', undefined, 'c'])
})

test('a response without an ETag is not kept, nor the one before it', () => {
  const cache = new ResponseCache()
  cache.keep('/a', received('old', { etag: 'old' }))
  cache.keep('/a', received('new', {}))
  expect(cache.find('/a')).toBeUndefined()
})

test('a response that is unchanged has its own headers, and those that are new', () => {
  const cache = new ResponseCache()
  cache.keep('/a', received('{}', { etag: 'a', link: '</b>; rel="next"', 'x-ratelimit-remaining': '9' }))
  const unchanged = new Response(null, { status: 304, headers: { etag: 'a', 'x-ratelimit-remaining': '7' } })
  const renewed = cache.find('/a')?.renew(unchanged)
  expect(renewed?.text).toBe('{}')
  expect(Object.fromEntries(renewed?.response.headers ?? [])).toMatchObject({
    link: '</b>; rel="next"',
    'x-ratelimit-remaining': '7',
  })
})
