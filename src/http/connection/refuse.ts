// In charge of answering without the app: to bad HTTP, to an app that is still starting, on the metrics port.
// The same JSON and the same headers as everywhere.
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type Clock, systemClock } from '../../clock.ts'
import { type ProblemCode, problemBody, problems } from '../../errors.ts'
import {
  allowanceOfNobody,
  isApiAddress,
  rateLimitHeaders,
  rateLimitLines,
} from '../responses/rate-limit-headers.ts'
import { limits } from './limits.ts'
import { nextRequestId, requestIdOf } from './request-id.ts'

/** Answers, lets the connection end with it, and returns the id that the answer carries. */
export function refuseRequest(
  request: IncomingMessage,
  response: ServerResponse,
  code: ProblemCode,
  clock: Clock = systemClock,
): string {
  const body = problemBody(code)
  const requestId = requestIdOf(request)
  if (response.headersSent) return requestId
  const isApi = isApiAddress(request.url ?? '')
  response.writeHead(problems[code].status, {
    ...(isApi ? rateLimitHeaders(allowanceOfNobody(clock)) : {}),
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-request-id': requestId,
    // What follows on the connection may be the rest of something we did not understand.
    connection: 'close',
  })
  response.end(request.method === 'HEAD' ? undefined : body)
  return requestId
}

/** The same where there is no response object, only a socket that Node no longer looks after. */
export function refuseSocket(socket: Socket, code: ProblemCode, clock: Clock): string {
  const { status } = problems[code]
  const body = problemBody(code)
  const requestId = nextRequestId()
  const head = [
    `HTTP/1.1 ${status} ${http.STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
    // What was asked for is not known: it may have been the API.
    rateLimitLines(allowanceOfNobody(clock)).trimEnd(),
    'Connection: close',
  ]
  // The client may be gone already; unheard, that error would end the process.
  socket.on('error', () => {})
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`)
  linger(socket)
  return requestId
}

/** Node destroys the socket behind a last answer; what the client is still sending would then reset that answer. */
export function lingerInsteadOfDestroying(socket: Socket, isArriving: () => boolean): void {
  const destroySoon = socket.destroySoon.bind(socket)
  socket.destroySoon = () => (isArriving() ? linger(socket) : destroySoon())
}

/** Says that this was all, and reads on for a moment: closing on unread bytes resets the connection. */
function linger(socket: Socket): void {
  socket.end()
  socket.resume()
  const cut = setTimeout(() => socket.destroy(), limits.lingerMs)
  socket.once('close', () => clearTimeout(cut))
}
