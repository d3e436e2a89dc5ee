import { expect, test } from 'vitest'
import type { AddressRules } from '../../outbound/address-rules.ts'
import { isOutwardPort } from '../../outbound/allowed-port.ts'
import { checkEndpointUrl } from './endpoint-url.ts'

const hosts: Readonly<Record<string, readonly string[]>> = {
  'public.example': ['8.8.8.8', '2606:4700::1111'],
  'xn--mnchen-3ya.example': ['8.8.8.8'],
  'inward.example': ['8.8.8.8', '10.0.0.1'],
  localhost: ['127.0.0.1', '::1'],
}
const rules: AddressRules = {
  allowed: [],
  allowsHttp: false,
  resolve: async (name) => {
    if (name === 'broken.example') throw new Error('no answer')
    return hosts[name] ?? []
  },
}

const long = `https://public.example/${'x'.repeat(2_048)}`
const portFault =
  'The endpoint url port must be 80, 443 or one from 1024 on that no other protocol is known by.'
const faults: [raw: string, text: string][] = [
  ['', 'The endpoint url must be a valid URL.'],
  ['public.example', 'The endpoint url must be a valid URL.'],
  ['/hook', 'The endpoint url must be a valid URL.'],
  ['https://', 'The endpoint url must be a valid URL.'],
  ['https:public.example', 'The endpoint url must be a valid URL.'],
  ['https://public.example:99999/', 'The endpoint url must be a valid URL.'],
  ['https://public.example/a b', 'The endpoint url must be a valid URL.'],
  ['https://public.example/\ud800', 'The endpoint url must be a valid URL.'],
  [' https://public.example/', 'The endpoint url must be a valid URL.'],
  ['https://public.example\\a', 'The endpoint url must be a valid URL.'],
  ['http://public.example/', 'The endpoint url must use https.'],
  ['ftp://public.example/', 'The endpoint url must use https.'],
  ['javascript:alert(1)', 'The endpoint url must use https.'],
  ['https://me@public.example/', 'The endpoint url must not contain a user name or password.'],
  ['https://me:word@public.example/', 'The endpoint url must not contain a user name or password.'],
  ['https://@public.example/', 'The endpoint url must not contain a user name or password.'],
  ['https://public.example/#part', 'The endpoint url must not contain a fragment.'],
  ['https://public.example/#', 'The endpoint url must not contain a fragment.'],
  ['https://127.0.0.1/', 'The endpoint url must be a public address.'],
  ['https://localhost/', 'The endpoint url must be a public address.'],
  ['https://inward.example/', 'The endpoint url must be a public address.'],
  ['https://absent.example/', 'The endpoint url host could not be found.'],
  ['https://public.example:22/', portFault],
  ['https://8.8.8.8:6667/', portFault],
  ['https://broken.example:25/', portFault],
  [long, 'The endpoint url may not be greater than 2048 characters.'],
]
test.for(faults)('%j is refused with its reason', async ([raw, text]) => {
  expect(await checkEndpointUrl(raw, rules)).toEqual([text])
})

const good = [
  'https://public.example',
  'HTTPS://PUBLIC.example./Hook?a=b&c=%20d',
  'https://public.example:443/',
  'https://public.example:8443/@here',
  'https://8.8.8.8/',
  'https://[2606:4700::1111]:80/',
  'https://münchen.example/ä',
  long.slice(0, 2_048),
]
test.for(good)('%s is accepted', async (raw) => {
  expect(await checkEndpointUrl(raw, rules)).toEqual([])
})

test('a host is accepted while the name servers do not respond: each connection looks it up again', async () => {
  expect(await checkEndpointUrl('https://broken.example/', rules)).toEqual([])
})

test('plain http is accepted where it is allowed, and nothing else', async () => {
  const lenient = { ...rules, allowsHttp: true }
  expect(await checkEndpointUrl('http://public.example/', lenient)).toEqual([])
  expect(await checkEndpointUrl('ws://public.example/', lenient)).toEqual([
    'The endpoint url must use https or http.',
  ])
})

test('an allowed address may have any port', async () => {
  const own = { ...rules, allowed: ['127.0.0.0/8', '::1'] }
  expect(await checkEndpointUrl('https://localhost:25/', own)).toEqual([])
  expect(await checkEndpointUrl('https://2130706433:1/', own)).toEqual([])
  expect(await checkEndpointUrl('https://public.example:25/', own)).toEqual([portFault])
})

test('the allowed ports are 80, 443, and those from 1024 on that no other protocol uses', () => {
  const all = Array.from({ length: 65_536 }, (_, port) => port)
  expect(all.filter(isOutwardPort).slice(0, 3)).toEqual([80, 443, 1_024])
  const refused = all.filter((port) => port >= 1_024 && !isOutwardPort(port))
  expect(refused).toEqual([
    1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679,
    6697, 10_080,
  ])
})
