import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { openReceiver } from '../../test/webhooks/receivers.ts'
import { type DownloadOptions, download, shownAddress } from './download.ts'

const rules = {
  allowed: ['127.0.0.0/8'],
  allowsHttp: true,
  resolve: async () => ['127.0.0.1'],
}
const table = 'brand,reference\nRolex,1\n'

test('a file is stored as it is sent, with what the server says about it', async () => {
  const zipped = gzipSync(table)
  const { get, directory } = await serve((request, response) => {
    response.setHeader('etag', '"v1"').setHeader('last-modified', 'Mon, 01 Jun 2026 00:00:00 GMT')
    if (request.url === '/a.csv') response.end(table)
    else response.setHeader('content-encoding', 'gzip').end(zipped)
  })
  expect(await get('/a.csv')).toEqual({
    path: path.join(directory, 'a.csv'),
    etag: '"v1"',
    lastModified: 'Mon, 01 Jun 2026 00:00:00 GMT',
  })
  expect(await readFile(path.join(directory, 'a.csv'), 'utf8')).toBe(table)
  await get('/export?token=1')
  expect(await readFile(path.join(directory, 'export'))).toEqual(zipped)
})

test('a file that has not changed is not sent again', async () => {
  const { get } = await serve((request, response) => {
    const isSame = request.headers['if-none-match'] === '"v1"'
    response.writeHead(isSame ? 304 : 200).end(isSame ? undefined : table)
  })
  expect(await get('/', { etag: '"v1"' })).toBeUndefined()
  expect(await get('/', { etag: '"v0"' })).toMatchObject({ path: expect.stringContaining('download') })
})

test('redirects are followed, and a password is not passed on to another host', async () => {
  const seen: (string | undefined)[] = []
  const other = await openReceiver((request, response) => {
    seen.push(request.headers.authorization)
    response.end(table)
  })
  const { get, port } = await serve((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(302, { location: `${new URL(other.url).origin}/b.csv` }).end()
  })
  expect(await get(`http://me:p%40ss@127.0.0.1:${port}/`)).toMatchObject({
    path: expect.stringMatching(/b\.csv$/),
  })
  expect(seen).toEqual([`Basic ${Buffer.from('me:p@ss').toString('base64')}`, undefined])
})

test('the address of a Google sheet in a browser means its table as CSV', async () => {
  const asked: string[] = []
  const { get, port } = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.end(table)
  })
  const sheets = `http://docs.google.com:${port}/spreadsheets/d`
  for (const address of [
    '1aB-c/edit#gid=7',
    '1aB-c/edit?gid=8#gid=8',
    '1aB-c/',
    '1aB-c/export?format=xlsx',
    'e/2P/pub?output=csv',
  ]) {
    await get(`${sheets}/${address}`)
  }
  expect(asked.map((url) => url.replace('/spreadsheets/d', ''))).toEqual([
    '/1aB-c/export?format=csv&gid=7',
    '/1aB-c/export?format=csv&gid=8',
    '/1aB-c/export?format=csv',
    '/1aB-c/export?format=xlsx',
    '/e/2P/pub?output=csv',
  ])
})

const faults: [string, RequestListener, RegExp][] = [
  ['a status', (_, response) => void response.writeHead(404).end(), /It answers with the status 404\.$/],
  [
    'a web page',
    (_, response) => void response.setHeader('content-type', 'text/html; charset=utf-8').end('<p>Sign in'),
    /answers with a web page, not with a file: is the file shared with everybody\?$/,
  ],
  [
    'a declared size',
    (_, response) => void response.setHeader('content-length', 2_000_000).end(Buffer.alloc(2_000_000)),
    /is larger than 1 MB: raise IMPORT_MAX_MB\.$/,
  ],
  ['an endless file', (_, response) => pour(response), /is larger than 1 MB: raise IMPORT_MAX_MB\.$/],
  [
    'a circle of redirects',
    (_, response) => void response.writeHead(302, { location: '/' }).end(),
    /It redirects more than 5 times\.$/,
  ],
  [
    'a redirect to this machine',
    (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    /The address 10\.0\.0\.1 is not public\.$/,
  ],
  [
    'another protocol',
    (_, response) => void response.writeHead(302, { location: 'file:///etc/passwd' }).end(),
    /It is not an address of http or https\.$/,
  ],
  ['a reset', (request) => void request.socket.destroy(), /closed before there was an answer\.$/],
]
test.for(faults)('one sentence says why a file cannot be read: %s', async ([, answer, message]) => {
  const { get, directory } = await serve(answer)
  await expect(get('/x.csv?secret=1')).rejects.toThrow(message)
  await expect(get('/x.csv?secret=1')).rejects.not.toThrow('secret')
  expect((await readdir(directory)).filter((name) => name !== 'x.csv')).toEqual([])
})

test('an inward address is refused, and plain http where it is not allowed', async () => {
  const { get } = await serve((_, response) => void response.end(table))
  await expect(get('/', { rules: { ...rules, allowed: [] } })).rejects.toThrow('127.0.0.1 is not public.')
  await expect(get('/', { rules: { ...rules, allowsHttp: false } })).rejects.toThrow(
    'Plain http is not allowed.',
  )
})

test('an address is shown without its secrets', () => {
  expect(shownAddress('https://me:secret@a.example/b.csv?token=1#2')).toBe('https://a.example/b.csv?…')
  expect(shownAddress('https://a.example/b.csv')).toBe('https://a.example/b.csv')
  expect(shownAddress('ftp://me:secret@a.example/b.csv')).toBe('ftp://a.example/b.csv')
})

test('an address that cannot be parsed is shown without its secrets, too', () => {
  expect(shownAddress('https://me:secret@a.example:99999/b.csv')).toBe('https://a.example:99999/b.csv')
  expect(shownAddress('https://me:se/cr@et@a b/c.csv?token=1')).toBe('https://a b/c.csv?…')
  expect(shownAddress('https://me:se?cret@a b/c.csv')).toBe('https://…')
  expect(shownAddress('https://a b/c.csv?token=me@secret')).toBe('https://…')
})

async function serve(answer: RequestListener) {
  const { port } = await openReceiver(answer)
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-download-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  const get = (address: string, options: Partial<DownloadOptions> = {}) => {
    const url = address.startsWith('/') ? `http://127.0.0.1:${port}${address}` : address
    return download(url, { rules, mbMax: 1, directory, ...options })
  }
  return { get, port, directory }
}

function pour(response: Parameters<RequestListener>[1]): void {
  const piece = Buffer.alloc(100_000)
  const more = () => {
    while (!response.destroyed && response.write(piece));
  }
  response.on('drain', more)
  more()
}
