// Tests the forms of REDIS_URL, and the slots of keys in a Redis Cluster.
import { describe, expect, test } from 'vitest'
import { keySlot } from './key-slot.ts'
import { parseRedisUrl } from './redis-url.ts'

const plain = { group: '', isTls: false, username: undefined, password: undefined, database: 0 }

describe('REDIS_URL', () => {
  test('names one server, with user, password, TLS and database where given', () => {
    expect(parseRedisUrl('redis://localhost')).toEqual({
      ...plain,
      kind: 'server',
      addresses: [{ host: 'localhost', port: 6379 }],
    })
    expect(parseRedisUrl('rediss://me:p%40ss@[::1]:7000/2?ignored=1')).toEqual({
      kind: 'server',
      addresses: [{ host: '::1', port: 7000 }],
      group: '',
      isTls: true,
      username: 'me',
      password: 'p@ss',
      database: 2,
    })
  })

  test('names the Sentinels of a group, or nodes of a cluster', () => {
    expect(parseRedisUrl('redis+sentinel://:secret@a,b:26380/mymaster/1')).toEqual({
      ...plain,
      kind: 'sentinel',
      addresses: [
        { host: 'a', port: 26_379 },
        { host: 'b', port: 26_380 },
      ],
      group: 'mymaster',
      password: 'secret',
      database: 1,
    })
    expect(parseRedisUrl('redis+cluster://a:7000,b:7001')).toMatchObject({
      kind: 'cluster',
      addresses: [
        { host: 'a', port: 7000 },
        { host: 'b', port: 7001 },
      ],
    })
  })

  test.each([
    ['redis://a,b', 'has several hosts'],
    ['redis+sentinel://a', 'needs the name of the group'],
    ['redis+cluster://a/1', 'must not name a database'],
    ['redis://a:b', 'has a malformed address'],
    ['redis://a/x', 'must end in the number of a database'],
    ['redis://%ff', 'has a broken percent-encoding'],
    ['redis:///', 'must be like'],
    ['http://a', 'must be like'],
  ])('%s %s', (url, fault) => {
    expect(() => parseRedisUrl(url)).toThrow(fault)
  })
})

test('keys with the same part in braces have the same slot, which is that of Redis', () => {
  // As `CLUSTER KEYSLOT` tells.
  expect([keySlot('123456789'), keySlot('foo'), keySlot('')]).toEqual([12_739, 12_182, 0])
  expect(keySlot('watchdata:used:{foo}:2026-03-01')).toBe(keySlot('foo'))
  expect(keySlot('{}foo')).not.toBe(keySlot('foo'))
})
