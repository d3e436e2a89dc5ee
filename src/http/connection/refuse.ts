// Sends error responses without the app: for malformed HTTP, while the app is starting, and on the metrics port. Body
// and headers are the same as in the app's error responses.
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Allowance } from '../../access/plans/quota.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { type ProblemCode, problemBody, problems } from '../../errors.ts'
import { isApiAddress } from './api-address.ts'
import { allowanceOfNobody, corsHeaders, rateLimitHeaders } from './api-headers.ts'
import { limits } from './limits.ts'
import { headerLines } from './raw-response.ts'
import { nextRequestId, requestIdOf } from './request-id.ts'

/** Responds, closes the connection afterwards, and returns the request id that the response carries. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  code: ProblemCode,
  clock: Clock = systemClock,
  allowance: Allowance = allowanceOfNobody(clock),
): string {
  const body = problemBody(code)
  const requestId = requestIdOf(request)
  if (response.headersSent) return requestId
  const isApi = isApiAddress(request.url ?? '')
  response.writeHead(problems[code].status, {
    ...(isApi ? { ...rateLimitHeaders(allowance), ...corsHeaders } : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    // The bytes that follow on the connection may be the rest of a request that was not understood.
    connection: 'close',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  return requestId
}

/** The same for a socket without a response object, which Node no longer manages. */
export function refuseSocket(socket: Socket, code: ProblemCode, clock: Clock): string {
  const { status } = problems[code]
  const body = problemBody(code)
  const requestId = nextRequestId()
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    // The requested URL is unknown: it may have been the API.
    headerLines(rateLimitHeaders(allowanceOfNobody(clock))).trimEnd(),
    'Connection: close',
  ]
  // The client may be gone already: without a listener that error would end the process.
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  linger(socket)
  return requestId
}

/**
 * Node destroys the socket after the last response. Bytes that the client is still sending would then reset the
 * connection before the client has read that response.
 */
export function lingerInsteadOfDestroying(socket: Socket, isArriving: (socket: Socket) => boolean): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => (isArriving(socket) ? linger(socket) : destroySoon())
}

/** Ends the sending side and reads on for a moment: closing with unread bytes resets the connection. */
function linger(socket: Socket): void {
  socket.end()
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), limits.lingerMs)
  socket.once('close', () => clearTimeout(cut))
}
