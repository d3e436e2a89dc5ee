// Downloads a file from an address that an operator gave: over connections that go outward only, up to a size, and only if
// it has changed since the last time.
import { createWriteStream } from 'node:fs'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Agent, type Dispatcher, request } from 'undici'
import { Failure } from '../errors.ts'
import type { AddressRules } from '../outbound/address-rules.ts'
import { outwardConnector } from '../outbound/connect.ts'
import { OutwardError, toOutwardError } from '../outbound/connect-error.ts'

/** What a server says about a file, so that it is sent again only if it has changed. */
export interface Validators {
  readonly etag?: string | undefined
  readonly lastModified?: string | undefined
}

export interface Download extends Validators {
  readonly path: string
}

export interface DownloadOptions extends Validators {
  readonly rules: AddressRules
  readonly mbMax: number
  /** Where the file is written. */
  readonly directory: string
}

const connectMaxMs = 10_000
/** A server that sends nothing for this long has given up. */
const silenceMaxMs = 60_000
const wholeMaxMs = 3_600_000
const redirectsMax = 5
const redirects = new Set([301, 302, 303, 307, 308])
const bytesPerMb = 1_000_000

export function isAddress(file: string): boolean {
  return /^https?:\/\//i.test(file)
}

/** The address without what may be secret: user name, password, and the values of its query. */
export function shownAddress(raw: string): string {
  const url = URL.parse(raw)
  if (url === null) return shownUnparsed(raw)
  return `${url.protocol}//${url.host}${url.pathname}${url.search === '' ? '' : '?…'}`
}

/** Between a question mark and an @ may be the end of a password or the beginning of a query: nothing of it is shown. */
function shownUnparsed(raw: string): string {
  const [, scheme = '', rest = ''] = /^([^/]*\/\/)?(.*)$/s.exec(raw) ?? []
  const at = rest.lastIndexOf('@')
  if (rest.slice(0, at + 1).includes('?')) return `${scheme}…`
  return scheme + rest.slice(at + 1).replace(/\?.*/s, '?…')
}

/** Returns undefined if the file is the same as the last time. */
export async function download(raw: string, options: DownloadOptions): Promise<Download | undefined> {
  const closing = new AbortController()
  const agent = new Agent({
    connect: outwardConnector(options.rules, connectMaxMs, closing.signal),
    headersTimeout: silenceMaxMs,
    bodyTimeout: silenceMaxMs,
    allowH2: false,
  })
  try {
    return await follow(agent, raw, options)
  } catch (error) {
    if (error instanceof Failure) throw error
    const { code, syscall } = error as NodeJS.ErrnoException
    if (syscall === 'open' || syscall === 'write') {
      throw new Failure(`Cannot write to ${options.directory} (${code}): check its disk.`)
    }
    throw new Failure(`Cannot read ${shownAddress(raw)}: ${describe(error)}`)
  } finally {
    closing.abort()
    await agent.destroy()
  }
}

async function follow(agent: Agent, raw: string, options: DownloadOptions): Promise<Download | undefined> {
  const signal = AbortSignal.timeout(wholeMaxMs)
  let url = tableAddress(parseAddress(raw))
  const authorization = basicAuthorization(url)
  const firstOrigin = url.origin
  for (let hops = 0; hops <= redirectsMax; hops++) {
    const headers = {
      'user-agent': 'watchdata',
      // A compressed file is stored as it is: whoever reads it finds out.
      'accept-encoding': 'gzip',
      ...(options.etag === undefined ? {} : { 'if-none-match': options.etag }),
      ...(options.lastModified === undefined ? {} : { 'if-modified-since': options.lastModified }),
      // Not for the host of a redirect, which may be another one.
      ...(authorization === undefined || url.origin !== firstOrigin ? {} : { authorization }),
    }
    const response = await request(bare(url), { dispatcher: agent, headers, signal })
    const { location } = response.headers
    if (!redirects.has(response.statusCode) || typeof location !== 'string') {
      return store(url, raw, response, options)
    }
    await response.body.dump()
    url = parseAddress(new URL(location, url).href)
  }
  throw new OutwardError(`It redirects more than ${redirectsMax} times.`)
}

async function store(
  url: URL,
  raw: string,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  { directory, mbMax, etag, lastModified }: DownloadOptions,
): Promise<Download | undefined> {
  if (statusCode === 304 && (etag !== undefined || lastModified !== undefined)) return undefined
  if (statusCode !== 200) throw new OutwardError(`It answers with the status ${statusCode}.`)
  if (/^text\/html\b/i.test(String(headers['content-type'] ?? ''))) {
    throw new OutwardError('It answers with a web page, not with a file: is the file shared with everybody?')
  }
  const tooLarge = () =>
    new Failure(
      `${shownAddress(raw)} is larger than ${mbMax.toLocaleString('en-US')} MB: raise IMPORT_MAX_MB.`,
    )
  const bytesMax = mbMax * bytesPerMb
  if (Number(headers['content-length'] ?? 0) > bytesMax) throw tooLarge()
  let bytes = 0
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length
      done(bytes > bytesMax ? tooLarge() : null, chunk)
    },
  })
  const file = path.join(directory, fileName(url))
  await pipeline(Readable.from(body), count, createWriteStream(file, { mode: 0o600 }))
  return { path: file, etag: textOf(headers.etag), lastModified: textOf(headers['last-modified']) }
}

/** The address at which Google Sheets gives a table as CSV, for the address that its page has in a browser. */
function tableAddress(url: URL): URL {
  const [, document] = /^\/spreadsheets\/d\/([\w-]+)\/(?:edit|view|htmlview)?/.exec(url.pathname) ?? []
  if (url.hostname !== 'docs.google.com' || document === undefined || document === 'e') return url
  if (url.pathname.includes('/export')) return url
  const sheet = /[#&?]gid=(\d+)/.exec(url.hash || url.search)?.[1]
  const table = new URL(`/spreadsheets/d/${document}/export?format=csv`, url)
  if (sheet !== undefined) table.searchParams.set('gid', sheet)
  return table
}

function parseAddress(raw: string): URL {
  const url = isAddress(raw) ? URL.parse(raw) : null
  if (url === null) throw new OutwardError('It is not an address of http or https.')
  return url
}

function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return `Basic ${Buffer.from(pair).toString('base64')}`
}

function bare(url: URL): URL {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  plain.hash = ''
  return plain
}

/** The last part of the path, whose ending may tell the format. */
function fileName({ pathname }: URL): string {
  const name = path.posix.basename(pathname).replace(/[^\w.-]/g, '_')
  return /^[\w-][\w.-]{0,99}$/.test(name) ? name : 'download'
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header.length <= 1_000 ? header : undefined
}

function describe(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException
  if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT' || name === 'TimeoutError') {
    return 'It does not answer.'
  }
  return toOutwardError(error).message
}
