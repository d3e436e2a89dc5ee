// Two more origins for programs that use the SDK: a server that fails twice before it responds, and one that has the page
// of a project that has installed the SDK.
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { endLater } from '../lifetime.ts'
import type { FaultyHandler } from './faulty-server.ts'

const corsHeaders = { 'access-control-allow-origin': '*', 'access-control-allow-headers': 'authorization' }
const sdkModule = '/node_modules/@watchdata/sdk/dist/index.js'

/** For each address: a 503, a response that is cut, and then a watch whose id is the number of attempts. */
export function failTwice(): FaultyHandler {
  const attempts = new Map<string, number>()
  return (response, { method, url = '' }) => {
    for (const [name, value] of Object.entries(corsHeaders)) response.setHeader(name, value)
    if (method === 'OPTIONS') return void response.writeHead(204).end()
    // Never answered.
    if (url.endsWith('/404')) return
    const count = (attempts.get(url) ?? 0) + 1
    attempts.set(url, count)
    const text = JSON.stringify({ data: { id: count } })
    const length = { 'content-type': 'application/json', 'content-length': text.length }
    if (count === 1) response.writeHead(503).end()
    else if (count > 2) response.writeHead(200, length).end(text)
    else {
      response.writeHead(200, length).write(text.slice(0, 5))
      setImmediate(() => response.destroy())
    }
  }
}

/** Serves the files of a project, and a page that runs one of them. */
export async function serveProject(project: string, main: string): Promise<{ url: string }> {
  const imports = JSON.stringify({ imports: { '@watchdata/sdk': sdkModule } })
  const page = `<!doctype html><link rel="icon" href="data:,"><script type="importmap">${imports}</script>
<script type="module" src="/${main}"></script>`
  const server = createServer(({ url = '/' }, response) => {
    if (url === '/') return void response.writeHead(200, { 'content-type': 'text/html' }).end(page)
    const file = createReadStream(path.join(project, path.posix.normalize(url)))
    file.on('error', () => response.writeHead(404).end())
    file.once('open', () => response.writeHead(200, { 'content-type': 'text/javascript' }))
    file.pipe(response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  endLater(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
