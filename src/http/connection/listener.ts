// Opens the HTTP listener. It binds its port before anything else is set up, so that a port in use fails the start before
// it has side effects, but refuses connections until there is a handler: a load balancer then sends the request to another
// process. Sets all limits, and replaces Node's own responses to malformed HTTP with JSON errors.
import { lookup } from 'node:dns/promises'
import { once } from 'node:events'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import net, { BoundSocket, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { Allowance } from '../../access/plans/quota.ts'
import { megabyte } from '../../cache-budget.ts'
import { type Clock, systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { Failure, type ProblemCode } from '../../errors.ts'
import { screenConnections } from './accept.ts'
import { isApiAddress } from './api-address.ts'
import { checkConnections } from './check-connections.ts'
import { clientAddresses } from './client-address.ts'
import { Connections } from './connections.ts'
import { usualHeaders } from './headers.ts'
import { noteTimeout } from './idle-sockets.ts'
import { readSendQueues } from './kernel-queues.ts'
import { limits } from './limits.ts'
import { keepNextTickShape } from './next-tick-shape.ts'
import type { OnCut } from './owed-bytes.ts'
import { isCrowded } from './peer.ts'
import { admit, hasUnparsed, isArriving, openPipeline, settle } from './pipeline.ts'
import { readDirectly, readInTurns } from './read-turns.ts'
import { lingerInsteadOfDestroying, refuseRequest, refuseSocket } from './refuse.ts'
import { rememberNobody } from './remembered-caller.ts'
import { LazyRequest } from './request.ts'
import { owesNothing } from './slow-readers.ts'
import { TrackedResponse } from './tracked-response.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** What is left to the caller of a request that is refused; undefined where the caller is not known. */
export type FindAllowance = (request: IncomingMessage) => Promise<Allowance | undefined>

export interface Listener {
  readonly server: Server
  readonly connections: Connections
  /** The actual URL, with the port the system chose for port 0. */
  readonly url: string
  /** From now on accepts connections, and passes well-formed requests to the handler. */
  serve(handler: Handler, findAllowance?: FindAllowance): Promise<void>
  /** Stops accepting connections, lets running requests finish, and cuts those that take longer than `maxMs`. */
  close(maxMs: number): Promise<void>
}

export interface ListenerOptions {
  readonly port: number
  /** The setting to name in the error when the port cannot be opened. */
  readonly portSetting: 'PORT' | 'METRICS_PORT'
  readonly clock?: Clock
  /** Called for every request that is refused before it reaches a handler. */
  readonly onRefused?: (code: ProblemCode, requestId: string) => void
  /** Called for every connection that is refused, or cut for the sake of others. */
  readonly onCut?: OnCut
  /** Called when a check of the connections fails. */
  readonly onError?: (error: unknown) => void
}

export async function openListener(config: Config, options: ListenerOptions): Promise<Listener> {
  const {
    port,
    portSetting,
    clock = systemClock,
    onRefused = () => {},
    onCut = () => {},
    onError = () => {},
  } = options
  let handler: Handler = () => {}
  let findAllowance: FindAllowance = async () => undefined
  const bound = await bind(config.host, port, portSetting)
  const { port: boundPort } = bound.address()
  keepNextTickShape()
  const receive = (request: LazyRequest, response: ServerResponse, refusal?: ProblemCode) => {
    request.isReceived = true
    if (admit(request, response, refusal)) start(request, response, refusal)
  }
  const start = (request: IncomingMessage, response: ServerResponse, refusal?: ProblemCode) => {
    // Called even where the refusal is given: `fault` also normalises the URL.
    const found = fault(request)
    const code = refusal ?? found
    if (code === undefined) handler(request, response)
    else void refuse(request, response, code)
  }
  const refuse = async (request: IncomingMessage, response: ServerResponse, code: ProblemCode) => {
    const allowance = isApiAddress(request.url ?? '') ? await findAllowance(request) : undefined
    onRefused(code, refuseRequest(request, response, code, clock, allowance))
  }
  const server = http.createServer(
    {
      maxHeaderSize: limits.parsedBytes,
      headersTimeout: config.requestTimeoutMs,
      requestTimeout: config.requestTimeoutMs,
      keepAliveTimeout: config.keepAliveTimeoutMs,
      connectionsCheckingInterval: limits.connectionCheckMs,
      insecureHTTPParser: false,
      joinDuplicateHeaders: false,
      noDelay: true,
      // Checked in `fault`: Node's own response to a missing Host header has no body.
      requireHostHeader: false,
      // A request without a body is not a stream: its events would cost a twelfth of a short request.
      optimizeEmptyRequests: true,
      IncomingMessage: LazyRequest,
      ServerResponse: TrackedResponse,
    },
    (request, response) => receive(request, response),
  )
  const connections = openConnections(config, onCut)
  const { sockets, queue } = connections
  // Before Node's own listener: every property that a socket will have, before Node sets the first timeout.
  server.prependListener('connection', (socket) => {
    connections.enter(socket)
    noteTimeout(socket)
    rememberNobody(socket)
    openPipeline(socket, start, queue)
    owesNothing(socket)
    readDirectly(socket)
    lingerInsteadOfDestroying(socket, isArriving)
  })
  server.on('connection', (socket) => {
    if (isCrowded(socket)) readInTurns(socket, queue)
  })
  server.timeout = limits.socketIdleMs
  server.maxRequestsPerSocket = 0
  // Unlimited in the parser, which would drop the excess silently; `fault` counts the headers.
  server.maxHeadersCount = 0
  server.on('checkExpectation', (request, response) => receive(request, response, 'expectation_failed'))
  server.on('connect', (_request, socket) => endWith(socket as Socket, 'bad_request'))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else endWith(socket as Socket, problemOf(error))
  })

  return {
    server,
    connections,
    url: urlOf(boundPort, config.host),
    async serve(next, findNext = findAllowance) {
      handler = next
      findAllowance = findNext
      await listen(server, bound, config.host, portSetting)
      screenConnections(server, connections)
      const readQueues = () => readSendQueues(boundPort)
      server.once('close', checkConnections({ sockets, readQueues, onCut, onError }))
    },
    async close(maxMs) {
      if (server.listening) await closeServer(server, sockets, maxMs)
      else bound[Symbol.dispose]()
    },
  }

  function endWith(socket: Socket, code: ProblemCode): void {
    // Ignores a second error: without a listener it would end the process.
    socket.on('error', () => {})
    settle(socket)
      .then((failed) => {
        // The request already has its response, whole or in part, or the previous response closes the connection.
        if (!socket.writable || failed?.headersSent === true) socket.destroySoon()
        else if (failed === undefined) onRefused(code, refuseSocket(socket, code, clock))
        else onRefused(code, refuseRequest(failed.req, failed, code, clock))
      })
      .catch(() => socket.destroy())
  }
}

function openConnections(config: Config, onCut: OnCut): Connections {
  const { maxConnections: max, connectionsPerAddress, sendMb } = config
  const share = Math.max(limits.connectionsPerAddressMin, Math.ceil(max * limits.addressShare))
  return new Connections({
    max,
    maxPerAddress: connectionsPerAddress ?? share,
    owedMaxBytes: sendMb * megabyte,
    isProxy: clientAddresses(config).isProxy,
    onCut,
  })
}

const parserProblems: Record<string, ProblemCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'body_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
}

function problemOf({ code = '', rawPacket }: NodeJS.ErrnoException & { rawPacket?: Buffer }): ProblemCode {
  // The packet is the start of the request, unless the client sent it in pieces.
  const isUrl = code === 'HPE_HEADER_OVERFLOW' && isLongUrl(rawPacket?.toString('latin1') ?? '')
  return isUrl ? 'uri_too_long' : (parserProblems[code] ?? 'bad_request')
}

/** Whether a packet begins with a request line whose URL is too long. */
function isLongUrl(packet: string): boolean {
  const [line = ''] = packet.split('\r\n', 1)
  const [, url = ''] = /^[A-Z]+ (\/\S*|https?:\S*)/i.exec(line) ?? []
  return url.length > limits.urlBytes
}

const hostPattern = /^[\w.:[\]%-]*$/
/** The host of the last request, which the next one usually has too. */
let lastHost = ''

function isHost(given: string): boolean {
  if (given === lastHost) return true
  if (!hostPattern.test(given)) return false
  lastHost = given
  return true
}

/** The problem of a request that the parser accepted. Also reduces an absolute-form URL to its path. */
function fault(request: IncomingMessage): ProblemCode | undefined {
  if (!request.url?.startsWith('/')) request.url = pathOf(request.url ?? '')
  if (request.httpVersionMajor !== 1) return 'bad_request'
  if (request.url.length > limits.urlBytes) return 'uri_too_long'
  if (request.rawHeaders.length / 2 > limits.headerCount) return 'headers_too_large'
  if (bytesOf(request.rawHeaders) > limits.headerBytes) return 'headers_too_large'
  const { host, hosts } = usualHeaders(request)
  const isHostWrong = host === undefined ? request.httpVersion === '1.1' : !isHost(host)
  if (isHostWrong || hosts > 1) return 'bad_request'
  return request.url.startsWith('/') ? undefined : 'bad_request'
}

function bytesOf(rawHeaders: readonly string[]): number {
  let bytes = 0
  for (let at = 0; at < rawHeaders.length; at++) bytes += (rawHeaders[at] as string).length
  // Each line has a colon, a space and its end, four bytes for two texts.
  return bytes + rawHeaders.length * 2
}

/** The path and query of an absolute-form request target. */
function pathOf(raw: string): string {
  const url = raw.replace(/^https?:\/\/[^/?#]*/i, '')
  return url.startsWith('?') || url === '' ? `/${url}` : url
}

/** Reserves the port without listening on it. */
async function bind(host: string, port: number, portSetting: string): Promise<BoundSocket> {
  try {
    const { address } = await lookup(host)
    return new BoundSocket({ host: address, port })
  } catch (error) {
    throw portFailure(error as NodeJS.ErrnoException, host, port, portSetting)
  }
}

async function listen(server: Server, bound: BoundSocket, host: string, portSetting: string): Promise<void> {
  const { port } = bound.address()
  server.listen({ handle: bound, backlog: limits.acceptBacklog })
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    throw portFailure(error, host, port, portSetting)
  })
}

function portFailure({ code }: NodeJS.ErrnoException, host: string, port: number, setting: string): Failure {
  const sentences: Record<string, string> = {
    EADDRINUSE: `Port ${port} of ${host} is already in use: set ${setting} to a free port.`,
    EACCES: `Port ${port} of ${host} needs more privileges: set ${setting} to a port above 1023.`,
    EADDRNOTAVAIL: `This machine does not have the address ${host}: set HOST to one that it has.`,
    ENOTFOUND: `The host ${host} was not found: set HOST to an address of this machine.`,
  }
  const general = `Cannot listen on port ${port} of ${host} (${code}): change HOST or ${setting}.`
  return new Failure(sentences[code ?? ''] ?? general)
}

/** A URL that can be pasted into a browser: a wildcard host becomes localhost. */
function urlOf(port: number, host: string): string {
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}

async function closeServer(server: Server, sockets: ReadonlySet<Socket>, maxMs: number): Promise<void> {
  const closed = once(server, 'close')
  // Calls `close` of net.Server, not of http.Server: the latter cuts connections it considers idle at once, including
  // those still sending a response and new ones whose first request is on its way.
  net.Server.prototype.close.call(server)
  const deadline = setTimeout(() => sockets.forEach((socket) => void socket.destroy()), maxMs)
  await Promise.race([closed, delay(limits.arrivalMs)])
  const idle = setInterval(() => {
    const isBusy = [...sockets].some((socket) => socket.writableLength > 0 || hasUnparsed(socket))
    if (!isBusy) server.closeIdleConnections()
  }, limits.idleCheckMs)
  await closed
  clearInterval(idle)
  clearTimeout(deadline)
  // Now calls `close` of http.Server too: it stops the timer that checks for slow connections, which would keep the
  // server and everything its handler holds in memory.
  server.close()
}
