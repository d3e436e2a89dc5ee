// Tracks the pipelined requests of each connection: limits how many wait for a response, cuts clients that do not
// read, and delays the response to a malformed request until the responses before it are sent.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { usualHeaders } from './headers.ts'
import { limits } from './limits.ts'

/**
 * Called when a response is closed, sent or not. A property, because one shared listener is cheaper than one per
 * response.
 */
export const whenDone = Symbol('when done')

/** A property, because a WeakMap would cost every request several lookups. */
const pipelineOf = Symbol('pipeline')

declare module 'node:http' {
  interface ServerResponse {
    [whenDone]?: (() => void) | undefined
  }
}

declare module 'node:stream' {
  interface Duplex {
    [pipelineOf]?: Pipeline
  }
}

interface Pipeline {
  /** An array, because it nearly always has one element and never more than a handful: a Set would be slower. */
  readonly waiting: ServerResponse[]
  /** The response to the newest request, whose body may still be arriving after that response was sent. */
  newest: ServerResponse | undefined
  /** The client sent more requests than allowed; the rest is read and discarded. */
  isFull: boolean
}

/** Returns false when the connection has reached its limit: the request is then ignored. */
export function admit(request: IncomingMessage, response: ServerResponse): boolean {
  const { socket } = request
  const pipeline = socket[pipelineOf] ?? open(socket)
  const { waiting } = pipeline
  if (waiting.length >= limits.pipelinedRequests || pipeline.isFull) {
    if (!pipeline.isFull) socket.pause()
    pipeline.isFull = true
    return false
  }
  pipeline.newest = response
  waiting.push(response)
  response.on('close', onClose)
  const isLast = waiting.length === limits.pipelinedRequests
  // After an upgrade that is not performed, Node loses the bytes that follow in the same read.
  if (isLast || usualHeaders(request).upgrade !== undefined) response.setHeader('connection', 'close')
  return true
}

function open(socket: Duplex): Pipeline {
  const pipeline: Pipeline = { waiting: [], newest: undefined, isFull: false }
  socket[pipelineOf] = pipeline
  return pipeline
}

/** One listener for all responses: a closure for each would cost as much as the rest of `admit`. */
function onClose(this: ServerResponse): void {
  const { socket } = this.req
  const pipeline = socket[pipelineOf]
  if (pipeline !== undefined) remove(pipeline.waiting, this)
  const done = this[whenDone]
  // The connection must not hold what belongs to a request that is over.
  this[whenDone] = undefined
  if (pipeline?.newest === this && this.req.complete) pipeline.newest = undefined
  done?.()
  // Node would allow the keep-alive timeout of an idle connection, though the client is not reading its responses.
  if (socket.writableLength > 0) socket.setTimeout(limits.socketIdleMs)
}

function remove(waiting: ServerResponse[], response: ServerResponse): void {
  const at = waiting.indexOf(response)
  // Nearly always the only one, for which `splice` would cost more.
  if (at === waiting.length - 1) waiting.pop()
  else if (at >= 0) waiting.splice(at, 1)
}

/** Whether the client is still sending, though its last response was sent. */
export function isArriving(socket: Duplex): boolean {
  const pipeline = socket[pipelineOf]
  return pipeline !== undefined && (pipeline.isFull || pipeline.newest?.req.complete === false)
}

/**
 * Resolves once the responses before a failed request are sent: to the failed request's own response, or to undefined
 * where the parser never made a request of it.
 */
export async function settle(socket: Duplex): Promise<ServerResponse | undefined> {
  const { waiting = [], newest } = socket[pipelineOf] ?? {}
  const failed = newest?.req.complete === false ? newest : undefined
  const before = waiting.filter((response) => response !== failed)
  await Promise.all(before.map((response) => new Promise((resolve) => response.once('close', resolve))))
  return failed
}
