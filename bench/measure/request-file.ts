// Writes and reads the file of requests that wrk and the open-loop generator send in order: the headers of all
// requests, an empty line, then one line per request with its path and, after tabs, the ETag of If-None-Match and the API
// key, where each request has its own.
import { readFileSync, writeFileSync } from 'node:fs'

export interface RequestLine {
  readonly path: string
  readonly etag?: string
  readonly key?: string
}

type Headers = Readonly<Record<string, string>>

export function writeRequests(file: string, headers: Headers, lines: readonly RequestLine[]): void {
  const head = Object.entries({ Host: '127.0.0.1', ...headers }).map(([name, value]) => `${name}: ${value}\n`)
  const rest = lines.map(({ path, etag = '', key = '' }) => `${[path, etag, key].join('\t').trimEnd()}\n`)
  writeFileSync(file, `${head.join('')}\n${rest.join('')}`)
}

/** The bytes of each request. */
export function readRequests(file: string): Buffer[] {
  const [head = '', rest = ''] = readFileSync(file, 'utf8').split('\n\n')
  const headers = head.replaceAll('\n', '\r\n')
  return rest
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [path, etag = '', key = ''] = line.split('\t')
      const condition =
        (etag === '' ? '' : `\r\nIf-None-Match: ${etag}`) +
        (key === '' ? '' : `\r\nAuthorization: Bearer ${key}`)
      return Buffer.from(`GET ${path} HTTP/1.1\r\n${headers}${condition}\r\n\r\n`)
    })
}
