import { networkInterfaces } from 'node:os'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isAllowedAddress, isPublicAddress, isSameAddress } from './public-address.ts'

const none: readonly string[] = []

/** The first and the last address of each range that is not public, and the public addresses next to it. */
const ranges: [range: string, first: string, last: string, beside: readonly string[]][] = [
  ['this network', '0.0.0.0', '0.255.255.255', ['1.0.0.0']],
  ['private', '10.0.0.0', '10.255.255.255', ['9.255.255.255', '11.0.0.0']],
  ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', ['100.63.255.255', '100.128.0.0']],
  ['loopback', '127.0.0.0', '127.255.255.255', ['126.255.255.255', '128.0.0.0']],
  ['link-local', '169.254.0.0', '169.254.255.255', ['169.253.255.255', '169.255.0.0']],
  ['private', '172.16.0.0', '172.31.255.255', ['172.15.255.255', '172.32.0.0']],
  ['protocols', '192.0.0.0', '192.0.0.255', ['191.255.255.255', '192.0.1.0']],
  ['documentation', '192.0.2.0', '192.0.2.255', ['192.0.1.255', '192.0.3.0']],
  ['6to4 relays', '192.88.99.0', '192.88.99.255', ['192.88.98.255', '192.88.100.0']],
  ['private', '192.168.0.0', '192.168.255.255', ['192.167.255.255', '192.169.0.0']],
  ['benchmarking', '198.18.0.0', '198.19.255.255', ['198.17.255.255', '198.20.0.0']],
  ['documentation', '198.51.100.0', '198.51.100.255', ['198.51.99.255', '198.51.101.0']],
  ['documentation', '203.0.113.0', '203.0.113.255', ['203.0.112.255', '203.0.114.0']],
  ['multicast and reserved', '224.0.0.0', '255.255.255.255', ['223.255.255.255']],
  ['platform', '168.63.129.16', '168.63.129.16', ['168.63.129.15', '168.63.129.17']],
  ['below the public ones', '::', '1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
  ['protocols', '2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:200::']],
  ['documentation', '2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', ['2001:db7::1', '2001:db9::']],
  ['6to4', '2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', ['2003::']],
  ['documentation', '3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', ['3ffe::1', '3fff:1000::']],
  ['above the public ones', '4000::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', []],
]

test.for(ranges)('%s is not public from %s to %s, and its neighbours are', ([, first, last, beside]) => {
  expect([first, last].filter((address) => isPublicAddress(address, none))).toEqual([])
  expect(beside.filter((address) => !isPublicAddress(address, none))).toEqual([])
})

test('no IPv6 address that embeds an IPv4 address is public, whatever it embeds', () => {
  const part = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16))
  const prefixes = [
    '::ffff:',
    '::',
    '64:ff9b::',
    '64:ff9b:1::',
    '2002:',
    '2001:0:',
    '2606:4700::5efe:',
    '2606:4700::200:5efe:',
  ]
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), part, part, (prefix, high, low) => {
      const address = `${prefix}${high}:${low}${prefix.includes('::') ? '' : '::'}`
      expect(isPublicAddress(address, none)).toBe(false)
    }),
  )
})

test('only addresses in standard notation are accepted', () => {
  const written = [
    '0177.0.0.1',
    '127.1',
    '2130706433',
    '0x7f.1',
    '8.8.8',
    '8.8.8.8.',
    ' 8.8.8.8',
    '08.8.8.8',
    'localhost',
    '',
    '2606:4700::1%eth0',
    '[2606:4700::1]',
  ]
  expect(written.filter((address) => isPublicAddress(address, none))).toEqual([])
  expect(
    ['8.8.8.8', '2606:4700::1111', '2606:4700:0:0::1111'].filter((one) => !isPublicAddress(one, none)),
  ).toEqual([])
})

test('addresses of this machine do not count as public, even public ones, unless they are allowed', () => {
  const own = ['8.8.8.8', '2606:4700::1', 'fe80::1%eth0']
  expect(isPublicAddress('8.8.8.8', none, own)).toBe(false)
  expect(isPublicAddress('2606:4700:0::1', none, own)).toBe(false)
  expect(isPublicAddress('8.8.4.4', none, own)).toBe(true)
  expect(isPublicAddress('8.8.8.8', ['8.8.8.0/24'], own)).toBe(true)
  const found = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? [])
  expect(found.filter((address) => isPublicAddress(address, none))).toEqual([])
})

test('an allowed address or range also allows the IPv4-mapped form of its addresses', () => {
  const allowed = ['127.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1', '::ffff:192.168.0.0/112']
  const inside = [
    '127.9.9.9',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '10.1.2.3',
    'fd12::1',
    '::1',
    '::ffff:192.168.7.7',
  ]
  const outside = [
    '10.1.2.4',
    '192.168.0.1',
    '::2',
    'fe80::1',
    '128.0.0.1',
    '169.254.169.254',
    '64:ff9b::7f00:1',
  ]
  expect(inside.filter((address) => !isPublicAddress(address, allowed))).toEqual([])
  expect(inside.filter((address) => !isAllowedAddress(address, allowed))).toEqual([])
  expect(outside.filter((address) => isAllowedAddress(address, allowed))).toEqual([])
  expect(isPublicAddress('10.0.0.1', ['0.0.0.0/0'])).toBe(true)
  expect(isPublicAddress('fd00::1', ['0.0.0.0/0'])).toBe(false)
})

test('an address equals itself in every notation, and no other address', () => {
  expect(isSameAddress('::1', '0:0:0:0:0:0:0:1')).toBe(true)
  expect(isSameAddress('::ffff:127.0.0.1', '::ffff:7f00:1')).toBe(true)
  expect(isSameAddress('127.0.0.1', '127.0.0.2')).toBe(false)
  expect(isSameAddress('127.0.0.1', '::1')).toBe(false)
  expect(isSameAddress('127.0.0.1', undefined)).toBe(false)
})
