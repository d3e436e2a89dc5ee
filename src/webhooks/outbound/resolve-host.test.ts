import { expect, test } from 'vitest'
import { type DnsAnswer, openDnsServer } from '../../../test/webhooks/dns-server.ts'
import { openResolver } from './resolve-host.ts'

const names: Readonly<Record<string, DnsAnswer>> = {
  'four.example': ['192.0.2.1', '192.0.2.2'],
  'both.example': ['192.0.2.1', '2001:db8::1', '192.0.2.2'],
  'alias.example': ['cname:four.example', '192.0.2.1'],
  'empty.example': [],
  'broken.example': 'error',
  'many.example': Array.from({ length: 33 }, (_, at) => `192.0.2.${at}`),
}

test('a name has the addresses of both kinds, in turns', async () => {
  const { resolve } = await open()
  expect(await resolve('both.example')).toEqual(['192.0.2.1', '2001:db8::1', '192.0.2.2'])
  expect((await resolve('four.example')).toSorted()).toEqual(['192.0.2.1', '192.0.2.2'])
  expect(await resolve('alias.example')).toEqual(['192.0.2.1'])
})

test('a name that is not there, has no address or cannot be one has none', async () => {
  const { resolve } = await open()
  const absent = ['absent.example', 'empty.example', 'a..b', `${'x'.repeat(64)}.example`, 'x.'.repeat(200)]
  for (const name of absent) expect(await resolve(name)).toEqual([])
})

test('name servers that fail or keep silent are an error, not a name that is not there', async () => {
  const { resolve } = await open()
  await expect(resolve('broken.example')).rejects.toThrow()
  const silent = await openDnsServer(() => 'silent')
  await expect(openResolver([silent.address])('any.example')).rejects.toThrow()
})

test('the addresses of one kind are enough where nothing is said about the other', async () => {
  const dns = await openDnsServer((_name, type) => (type === 'A' ? ['192.0.2.1'] : 'error'))
  expect(await openResolver([dns.address])('half.example')).toEqual(['192.0.2.1'])
})

test('more addresses than anybody needs are an error: each would have to be checked', async () => {
  const { resolve } = await open()
  await expect(resolve('many.example')).rejects.toThrow(RangeError)
})

test('names of this machine are loopback, without a question to anybody', async () => {
  const { resolve, questions } = await open()
  for (const name of ['localhost', 'LocalHost', 'a.localhost']) {
    expect(await resolve(name)).toEqual(['127.0.0.1', '::1'])
  }
  expect(questions).toEqual([])
})

test('an answer is not kept: a name that changes is seen as it is now', async () => {
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
