import { expect, test } from 'vitest'
import { type DnsAnswer, openDnsServer } from '../../test/webhooks/dns-server.ts'
import { openResolver } from './resolve-host.ts'

const names: Readonly<Record<string, DnsAnswer>> = {
  'four.example': ['192.0.2.1', '192.0.2.2'],
  'both.example': ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
  'alias.example': ['cname:four.example', '192.0.2.1'],
  'empty.example': [],
  'broken.example': 'error',
  'many.example': Array.from({ length: 33 }, (_, at) => `192.0.2.${at}`),
}

test('a name has IPv4 and IPv6 addresses, alternating', async () => {
  const { resolve } = await open()
  expect(await resolve('both.example')).toEqual(['192.0.2.1', '2001:db8::1', '192.0.2.2'])
  expect((await resolve('four.example')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await resolve('alias.example')).toEqual(['192.0.2.1'])
})

test('a name that does not exist, has no address or is invalid has no addresses', async () => {
  const { resolve } = await open()
  const absent = ['absent.example', 'empty.example', 'a..b', `${'x'.repeat(64)}.example`, 'x.'.repeat(200)]
  for (const name of absent) expect(await resolve(name)).toEqual([])
})

test('name servers that fail or do not respond are an error, not a name that does not exist', async () => {
  const { resolve } = await open()
  await expect(resolve('broken.example')).rejects.toThrow()
  const silent = await openDnsServer(() => 'silent')
  await expect(openResolver([silent.address])('any.example')).rejects.toThrow()
})

test('addresses of one kind are enough if the lookup of the other kind fails', async () => {
  const dns = await openDnsServer((_name, type) => (type === 'A' ? ['192.0.2.1'] : 'error'))
  expect(await openResolver([dns.address])('half.example')).toEqual(['192.0.2.1'])
})

test('too many addresses are an error: each would have to be checked', async () => {
  const { resolve } = await open()
  await expect(resolve('many.example')).rejects.toThrow(RangeError)
})

test('localhost names are loopback, without a DNS query', async () => {
  const { resolve, questions } = await open()
  for (const name of ['localhost', 'LocalHost', 'a.localhost']) {
    expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
  }
  expect(questions).toEqual([])
})

test('lookups are not cached: a name that changes has its new address at once', async () => {
  let address = '192.0.2.1'
  const dns = await openDnsServer(() => [address])
  const resolve = openResolver([dns.address])
  expect(await resolve('changing.example')).toEqual(['192.0.2.1'])
  address = '127.0.0.1'
  expect(await resolve('changing.example')).toEqual(['127.0.0.1'])
})

async function open() {
  const dns = await openDnsServer((name) => names[name] ?? 'absent')
  return { resolve: openResolver([dns.address]), questions: dns.questions }
}
