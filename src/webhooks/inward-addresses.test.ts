import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { networkInterfaces } from 'node:os'
import { expect, onTestFinished, test } from 'vitest'
import { openDnsServer } from '../../test/webhooks/dns-server.ts'
import { inwardHosts, inwardNames, inwardUrls } from '../../test/webhooks/inward-addresses.ts'
import type { AddressRules } from '../outbound/address-rules.ts'
import { openResolver } from '../outbound/resolve-host.ts'
import { checkEndpointUrl } from './outbound/endpoint-url.ts'
import { openPoster } from './outbound/post.ts'

const groups = Object.entries(inwardHosts)

test('there are at least two hundred spellings of inward addresses', () => {
  expect(new Set([...Object.values(inwardHosts).flat(), ...inwardUrls]).size).toBeGreaterThan(200)
})

test.for(groups)('no webhook is saved or sent to an inward address: %s', async ([, hosts]) => {
  const canary = await openCanary()
  const rules = await openRules()
  const urls = hosts.flatMap((host) => [
    `https://${host}:${canary.port}/`,
    `http://${host}:${canary.port}/x?y`,
  ])

  expect(await findSaved(urls, rules)).toEqual([])
  expect(await findSent(urls, rules)).toEqual([])
  expect(canary.connections()).toBe(0)
})

test('no webhook is saved or sent to an inward address hidden elsewhere in a URL', async () => {
  const canary = await openCanary()
  const rules = await openRules()
  const urls = inwardUrls.map((url) => url.replaceAll('{port}', String(canary.port)))

  expect(await findSaved(urls, rules)).toEqual([])
  expect(await findSent(urls, rules)).toEqual([])
  expect(canary.connections()).toBe(0)
})

test('the canary counts connections to every address of this machine', async () => {
  const canary = await openCanary()
  const own = Object.entries(networkInterfaces()).flatMap(([zone, found]) =>
    (found ?? []).map((one) => (one.address.startsWith('fe80') ? `${one.address}%${zone}` : one.address)),
  )
  for (const address of own)
    await once(
      connect(canary.port, address).on('error', () => {}),
      'close',
    )
  expect(canary.connections()).toBe(own.length)
})

test('an address in an allowed range is saved and sent to, whatever its notation', async () => {
  const canary = await openCanary()
  const rules = { ...(await openRules()), allowed: ['127.0.0.0/8', '::1'] }
  const hosts = ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', 'localhost', 'inward.example']
  const urls = hosts.map((host) => `http://${host}:${canary.port}/`)
  expect(await findSaved(urls, rules)).toEqual(urls)
  await findSent(urls, rules)
  expect(canary.connections()).toBeGreaterThanOrEqual(urls.length)
})

test('a host that is public when it is saved and inward when it is sent to is not connected to', async () => {
  const canary = await openCanary()
  let address = '8.8.8.8'
  const dns = await openDnsServer(() => [address])
  const rules = { allowed: [], allowsHttp: true, resolve: openResolver([dns.address]) }
  const url = `http://changing.example:${canary.port}/`

  expect(await checkEndpointUrl(url, rules)).toEqual([])
  address = '127.0.0.1'
  expect(await postTo(url, rules)).toMatchObject({
    status: undefined,
    error: 'The address 127.0.0.1 is not public.',
  })
  expect(canary.connections()).toBe(0)
})

test('a host is looked up once per connection, and the checked address is the one connected to', async () => {
  const canary = await openCanary()
  const asked = { A: 0, AAAA: 0 }
  const dns = await openDnsServer((_name, type) => (asked[type]++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']))
  const rules = { allowed: ['127.0.0.1'], allowsHttp: true, resolve: openResolver([dns.address]) }

  await postTo(`http://changing.example:${canary.port}/`, rules)
  expect(canary.connections()).toBe(1)
  expect(asked).toEqual({ A: 1, AAAA: 1 })
})

test('a redirect to an inward address is a response like any other, and is not followed', async () => {
  const canary = await openCanary()
  const head = `HTTP/1.1 307 Temporary Redirect\r\nlocation: http://127.0.0.1:${canary.port}/\r\ncontent-length: 0\r\n\r\n`
  const server = createServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(head)))
  const port = await listen(server, '127.0.0.1')
  const rules = { ...(await openRules()), allowed: ['127.0.0.1'] }

  expect(await postTo(`http://127.0.0.1:${port}/`, rules)).toMatchObject({ status: 307, error: undefined })
  expect(canary.connections()).toBe(0)
})

test('a port of another protocol is refused at a public address, before any connection', async () => {
  const rules = await openRules()
  for (const port of [22, 25, 110, 6667]) {
    const url = `https://8.8.8.8:${port}/`
    expect(await checkEndpointUrl(url, rules)).toHaveLength(1)
    expect(await postTo(url, rules)).toMatchObject({ error: `The port ${port} is not allowed.` })
  }
})

async function openRules(): Promise<AddressRules> {
  const dns = await openDnsServer((name) => inwardNames[name] ?? 'absent')
  return { allowed: [], allowsHttp: true, resolve: openResolver([dns.address]) }
}

async function findSaved(urls: readonly string[], rules: AddressRules): Promise<string[]> {
  const faults = await Promise.all(urls.map((url) => checkEndpointUrl(url, rules)))
  return urls.filter((_url, at) => faults[at]?.length === 0)
}

async function findSent(urls: readonly string[], rules: AddressRules): Promise<string[]> {
  const outcomes = await Promise.all(urls.map((url) => postTo(url, rules)))
  return urls.filter((_url, at) => outcomes[at]?.status !== undefined || !isRefusal(outcomes[at]?.error))
}

/** Whether the post was refused by the rules. A network error would mean that a connection was attempted. */
function isRefusal(error = ''): boolean {
  return /^The (address \S+ is not public|address is not one of http or https|host could not be found)\.$/.test(
    error,
  )
}

async function postTo(url: string, rules: AddressRules) {
  const poster = openPoster(rules, { attemptMaxMs: 5_000 })
  try {
    return await poster.post(url, {}, '{}', new AbortController().signal)
  } finally {
    await poster.close()
  }
}

/** Listens on every address of this machine: loopback, link-local and the network's, in v4 and v6. */
async function openCanary(): Promise<{ port: number; connections: () => number }> {
  let connections = 0
  const server = createServer((socket) => {
    connections++
    socket.on('error', () => {}).destroy()
  })
  return { port: await listen(server), connections: () => connections }
}

async function listen(server: Server, host?: string): Promise<number> {
  server.listen(0, host)
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return (server.address() as AddressInfo).port
}
