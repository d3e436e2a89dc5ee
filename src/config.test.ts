import path from 'node:path'
import { expect, test } from 'vitest'
import { packageRoot, parseConfig, settingRows, settings } from './config.ts'

function messageOf(env: Record<string, string>): string {
  try {
    parseConfig(env)
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

test('an empty environment is a complete configuration', () => {
  const config = parseConfig({})
  expect(config).toMatchObject({
    host: '127.0.0.1',
    port: 8080,
    databaseUrl: undefined,
    sampleCatalogue: true,
  })
})

test('an empty variable counts as not set', () => {
  expect(parseConfig({ PORT: '', DATABASE_URL: '' })).toEqual(parseConfig({}))
})

test('all bad values are reported together, each with its variable', () => {
  const message = messageOf({
    PORT: '80a',
    LOG_LEVEL: 'loud',
    DATABASE_URL: 'mysql://x',
    TRUST_PROXY: '10.0.0.0/33',
  })
  for (const env of ['PORT', 'LOG_LEVEL', 'DATABASE_URL', 'TRUST_PROXY']) expect(message).toContain(env)
  expect(message.split('\n')).toHaveLength(1)
})

test.each(['-1', '65536', '1e3', ' 80', '0x50', '8080.0', '９０'])('PORT=%s is refused', (port) => {
  expect(messageOf({ PORT: port })).toContain('PORT must be an integer from 0 to 65535')
})

test('a bad URL is reported without repeating it, because it may contain a password', () => {
  expect(messageOf({ DATABASE_URL: 'http://user:hunter2@host' })).not.toContain('hunter2')
})

test('the data directory is in the package by default, otherwise where DATA_DIR says', () => {
  expect(parseConfig({}).dataDir).toBe(path.join(packageRoot, 'data'))
  expect(parseConfig({ DATA_DIR: './data' }).dataDir).toBe(path.resolve('data'))
  expect(parseConfig({ DATA_DIR: '/srv/watches' }).dataDir).toBe('/srv/watches')
})

test('BASE_URL loses its trailing slash, so that paths can be appended', () => {
  expect(parseConfig({ BASE_URL: 'https://watches.example/' }).baseUrl).toBe('https://watches.example')
})

test('BASE_URL is stored in ASCII, and refused with a user, query, fragment or /api/v1', () => {
  expect(parseConfig({ BASE_URL: 'https://時計.example/shop' }).baseUrl).toBe(
    'https://xn--kjv590f.example/shop',
  )
  for (const bad of [
    'https://x.example/?a=1',
    'https://x.example/#top',
    'https://me@x.example',
    'https://x.example/api/v1',
  ]) {
    expect(messageOf({ BASE_URL: bad })).toContain('BASE_URL must')
  }
})

test('proxies are addresses or ranges of either family', () => {
  expect(parseConfig({ TRUST_PROXY: '10.0.0.0/8, ::1,192.0.2.7' }).trustProxy).toEqual([
    '10.0.0.0/8',
    '::1',
    '192.0.2.7',
  ])
  expect(messageOf({ TRUST_PROXY: 'loadbalancer' })).toContain('TRUST_PROXY')
})

test('every default is a valid value of its setting', () => {
  for (const row of settingRows()) {
    if (row.default !== '') expect(messageOf({ [row.env]: row.default }), row.env).toBe('no error')
  }
})

test('no two settings share a variable', () => {
  expect(new Set(settingRows().map(({ env }) => env)).size).toBe(Object.keys(settings).length)
})
