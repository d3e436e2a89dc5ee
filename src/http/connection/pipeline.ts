// Tracks the pipelined requests of each connection: starts one after the other, so that a connection never owes more than
// one response, limits how many wait, and delays the response to a malformed request until the responses before it are
// sent.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { ProblemCode } from '../../errors.ts'
import { usualHeaders } from './headers.ts'
import { limits } from './limits.ts'
import { isDelayed, noteOwed, owedBytes } from './peer.ts'
import type { StartQueue } from './start-queue.ts'

/**
 * Called when a response is closed, sent or not. A property, because one shared listener is cheaper than one per
 * response.
 */
export const whenDone = Symbol('when done')

/** The problem with which a request is refused when its turn comes. */
const refusalOf = Symbol('refusal')

/** A property, because a WeakMap would cost every request several lookups. */
const pipelineOf = Symbol('pipeline')

declare module 'node:http' {
  interface ServerResponse {
    [whenDone]?: (() => void) | undefined
    [refusalOf]?: ProblemCode
  }
}

declare module 'node:stream' {
  interface Duplex {
    [pipelineOf]?: Pipeline
  }
}

/** Passes a request to its handler, or refuses it. */
export type Start = (request: IncomingMessage, response: ServerResponse, refusal?: ProblemCode) => void

interface Pipeline {
  readonly start: Start
  readonly queue: StartQueue<Socket>
  /**
   * The first is in progress, or about to start. An array, because it nearly always has one element and never more than a
   * handful: a Set would be slower.
   */
  readonly waiting: ServerResponse[]
  /** Whether the first of them was started. */
  isStarted: boolean
  /** The response to the newest request, whose body may still be arriving after that response was sent. */
  newest: ServerResponse | undefined
  /** The client sent more requests than allowed; the rest is read and discarded. */
  isFull: boolean
  /** Whether more has arrived that is parsed when no request is in progress: see read-turns.ts. */
  hasUnparsed: boolean
}

/** Call it when the connection opens: see remembered-caller.ts. `start` is called for requests that had to wait. */
export function openPipeline(socket: Duplex, start: Start, queue: StartQueue<Socket>): void {
  socket[pipelineOf] = {
    start,
    queue,
    waiting: [],
    isStarted: false,
    newest: undefined,
    isFull: false,
    hasUnparsed: false,
  }
}

/**
 * Returns whether the request may be started now. Otherwise it is started later, or ignored if the connection has reached
 * its limit.
 */
export function admit(request: IncomingMessage, response: ServerResponse, refusal?: ProblemCode): boolean {
  const { socket } = request
  const pipeline = socket[pipelineOf] as Pipeline
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
  if (waiting.length === 1 && !isDelayed(socket)) {
    pipeline.isStarted = true
    return true
  }
  if (refusal !== undefined) response[refusalOf] = refusal
  return false
}

/** Starts the next request of the connection, if there is one and none is in progress. */
export function startNext(socket: Socket): void {
  const pipeline = socket[pipelineOf] as Pipeline
  const [next] = pipeline.waiting
  // After its last response, a connection is no longer writable.
  if (next === undefined || pipeline.isStarted || !socket.writable || isDelayed(socket)) return
  pipeline.isStarted = true
  pipeline.start(next.req, next, next[refusalOf])
}

/** One listener for all responses: a closure for each would cost as much as the rest of `admit`. */
function onClose(this: ServerResponse): void {
  const { socket } = this.req
  const pipeline = socket[pipelineOf] as Pipeline
  if (pipeline.waiting[0] === this) pipeline.isStarted = false
  remove(pipeline.waiting, this)
  const done = this[whenDone]
  // The connection must not hold what belongs to a request that is over.
  this[whenDone] = undefined
  if (pipeline.newest === this && this.req.complete) pipeline.newest = undefined
  done?.()
  if (socket[owedBytes] !== 0) noteOwed(socket)
  if (pipeline.waiting.length > 0 || pipeline.hasUnparsed) pipeline.queue.add(socket)
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

/** Whether something has arrived that was not parsed yet. */
export function hasUnparsed(socket: Duplex): boolean {
  return socket[pipelineOf]?.hasUnparsed ?? false
}

export function noteUnparsed(socket: Duplex, hasUnparsed: boolean): void {
  const pipeline = socket[pipelineOf]
  if (pipeline !== undefined) pipeline.hasUnparsed = hasUnparsed
}

/** Whether a request that has arrived completely is in progress. */
export function isBusy(socket: Duplex): boolean {
  const pipeline = socket[pipelineOf]
  return pipeline !== undefined && pipeline.waiting.length > 0 && pipeline.newest?.req.complete !== false
}

/** Whether no request is in progress: all responses are sent, and at most the head of the next request is arriving. */
export function isBetweenRequests(socket: Duplex): boolean {
  const pipeline = socket[pipelineOf]
  return pipeline?.waiting.length === 0 && !pipeline.hasUnparsed && !isArriving(socket)
}

/**
 * Resolves once the responses before a failed request are sent: to the failed request's own response, or to undefined
 * where the parser never made a request of it.
 */
export async function settle(socket: Duplex): Promise<ServerResponse | undefined> {
  const { waiting = [], newest, isStarted } = socket[pipelineOf] ?? {}
  const failed = newest?.req.complete === false ? newest : undefined
  const before = waiting.filter((response) => response !== failed)
  // One that was not started yet never is: it gets its refusal instead.
  if (failed !== undefined && !(isStarted && waiting[0] === failed)) remove(waiting, failed)
  await Promise.all(before.map((response) => new Promise((resolve) => response.once('close', resolve))))
  return failed
}
