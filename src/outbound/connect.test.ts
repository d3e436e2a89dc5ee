import { createServer as createHttpServer } from 'node:http'
import { createServer as createSecureServer, type ServerOptions } from 'node:https'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { afterEach, expect, onTestFinished, test } from 'vitest'
import { findFreePort } from '../../test/programs/free-port.ts'
import { makeCertificate } from '../../test/webhooks/certificate.ts'
import { openDnsServer } from '../../test/webhooks/dns-server.ts'
import { watch } from '../../test/webhooks/receivers.ts'
import { openPoster } from '../webhooks/outbound/post.ts'
import { openResolver, type Resolve } from './resolve-host.ts'

const trustedBefore = getCACertificates('default')
const never = new AbortController().signal

afterEach(() => setDefaultCACertificates(trustedBefore))

test('an untrusted certificate is refused, and nothing is sent', async () => {
  const receiver = await openSecureReceiver(makeCertificate('receiver.example'))
  expect(await postTo(`https://receiver.example:${receiver.port}/`)).toMatchObject({
    status: undefined,
    error: 'The certificate is not valid: it is self-signed.',
  })
  expect(receiver.requests).toEqual([])
})

test('a trusted certificate is compared with the hostname of the URL, which is sent as SNI', async () => {
  const certificate = makeCertificate('receiver.example')
  setDefaultCACertificates([certificate.cert])
  const receiver = await openSecureReceiver(certificate)
  expect(await postTo(`https://receiver.example:${receiver.port}/a`)).toMatchObject({ status: 200 })
  expect(await postTo(`https://receiver.example.:${receiver.port}/b`)).toMatchObject({ status: 200 })
  const other = { status: undefined, error: 'The certificate is not valid: it is for another name.' }
  expect(await postTo(`https://other.example:${receiver.port}/c`)).toMatchObject(other)
  expect(await postTo(`https://127.0.0.1:${receiver.port}/d`)).toMatchObject(other)
  expect(receiver.requests).toEqual(['receiver.example /a', 'receiver.example /b'])
})

test('a certificate for another name is refused each time, even with session resumption', async () => {
  const certificate = makeCertificate('other.example')
  setDefaultCACertificates([certificate.cert])
  const receiver = await openSecureReceiver({ ...certificate, maxVersion: 'TLSv1.2' })
  const poster = openTestPoster()
  for (let posts = 0; posts < 3; posts++) {
    const outcome = await poster.post(`https://receiver.example:${receiver.port}/`, {}, '{}', never)
    expect(outcome.error).toBe('The certificate is not valid: it is for another name.')
  }
  expect(receiver.requests).toEqual([])
})

test('a certificate for an address is valid for a URL with that address', async () => {
  const certificate = makeCertificate('127.0.0.1')
  setDefaultCACertificates([certificate.cert])
  const receiver = await openSecureReceiver(certificate)
  expect(await postTo(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({ status: 200 })
})

test('an expired certificate is refused', async () => {
  const certificate = makeCertificate('receiver.example', '210101000000Z')
  setDefaultCACertificates([certificate.cert])
  const receiver = await openSecureReceiver(certificate)
  expect(await postTo(`https://receiver.example:${receiver.port}/`)).toMatchObject({
    error: 'The certificate is not valid: it has expired.',
  })
})

test('a receiver that does not speak TLS is reported as such', async () => {
  const receiver = await watch(createHttpServer(), '127.0.0.1')
  expect(await postTo(`https://127.0.0.1:${receiver.port}/`)).toMatchObject({
    error: 'The TLS handshake failed.',
  })
})

test('if one of several addresses does not connect, the next is tried', async () => {
  const receiver = await watch(
    createHttpServer((_request, response) => void response.end('here')),
    '127.0.0.1',
  )
  const url = `http://receiver.example:${receiver.port}/`
  const resolve = async () => ['::1', '127.0.0.1']
  expect(await postTo(url, resolve)).toMatchObject({ status: 200, body: 'here' })
  expect(await postTo(`http://receiver.example:${await findFreePort()}/`, resolve)).toMatchObject({
    error: 'Connection refused.',
  })
})

test('a host that is not found and one that cannot be looked up have different errors', async () => {
  const dns = await openDnsServer((name) => (name === 'absent.example' ? 'absent' : 'error'))
  const resolve = openResolver([dns.address])
  expect(await postTo('https://absent.example/', resolve)).toMatchObject({
    error: 'The host could not be found.',
  })
  expect(await postTo('https://broken.example/', resolve)).toMatchObject({
    error: 'The host could not be looked up.',
  })
})

async function openSecureReceiver(options: ServerOptions) {
  const requests: string[] = []
  const server = createSecureServer(options, (request, response) => {
    requests.push(`${(request.socket as { servername?: string }).servername} ${request.url}`)
    response.end()
  })
  server.on('tlsClientError', () => {})
  return { ...(await watch(server, '127.0.0.1')), requests }
}

function openTestPoster(resolve: Resolve = async () => ['127.0.0.1']) {
  const allowed = ['127.0.0.0/8', '::1']
  const poster = openPoster({ allowed, allowsHttp: true, resolve }, { attemptMaxMs: 5_000 })
  onTestFinished(() => poster.close())
  return poster
}

function postTo(url: string, resolve?: Resolve) {
  return openTestPoster(resolve).post(url, {}, '{}', never)
}
