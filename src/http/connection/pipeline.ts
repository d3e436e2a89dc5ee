// In charge of the requests of one connection that wait for their answers: how many there may be, that a
// client which does not read is cut, and that an error is told only after the answers before it.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { findHeader } from './headers.ts'
import { limits } from './limits.ts'

/** What is to happen once a response is done with, sent or not: one listener for all of them is enough. */
export const whenDone = Symbol('when done')

declare module 'node:http' {
  interface ServerResponse {
    [whenDone]?: () => void
  }
}

interface Pipeline {
  /** A handful at most, and nearly always one: a Set would take longer. */
  readonly waiting: ServerResponse[]
  /** Of the newest request, which may still be arriving after it was answered. */
  newest?: ServerResponse
  /** More was sent than is taken; the rest is only read to be thrown away. */
  isFull: boolean
}

export class Pipelines {
  readonly #pipelines = new WeakMap<Duplex, Pipeline>()

  /** False when the connection has as many waiting as it may: the request is then passed over. */
  admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    const pipeline = this.#pipelines.get(socket) ?? this.#open(socket)
    const { waiting } = pipeline
    if (waiting.length >= limits.pipelinedRequests || pipeline.isFull) {
      if (!pipeline.isFull) socket.pause()
      pipeline.isFull = true
      return false
    }
    pipeline.newest = response
    waiting.push(response)
    response.on('close', this.#onClose)
    const isLast = waiting.length === limits.pipelinedRequests
    // After an upgrade that is not made, Node loses what follows in the same read.
    if (isLast || findHeader(request, 'upgrade') !== undefined) response.setHeader('connection', 'close')
    return true
  }

  /** One for all responses: a listener made for each would cost as much as the rest of this. */
  readonly #onClose: (this: ServerResponse) => void

  constructor() {
    const pipelines = this.#pipelines
    this.#onClose = function () {
      const { socket } = this.req
      const waiting = pipelines.get(socket)?.waiting
      const at = waiting?.indexOf(this) ?? -1
      if (at >= 0) waiting?.splice(at, 1)
      this[whenDone]?.()
      // Node would keep the connection for as long as an idle one, though its answers are not being taken.
      if (socket.writableLength > 0) socket.setTimeout(limits.socketIdleMs)
    }
  }

  #open(socket: Duplex): Pipeline {
    const pipeline: Pipeline = { waiting: [], isFull: false }
    this.#pipelines.set(socket, pipeline)
    return pipeline
  }

  /** Whether the client is still sending, though it has its last answer. */
  isArriving(socket: Duplex): boolean {
    const pipeline = this.#pipelines.get(socket)
    return pipeline !== undefined && (pipeline.isFull || pipeline.newest?.req.complete === false)
  }

  /**
   * Resolves once the answers before a failed request are sent, to its own response;
   * to undefined where it never became a request.
   */
  async settle(socket: Duplex): Promise<ServerResponse | undefined> {
    const { waiting = [], newest } = this.#pipelines.get(socket) ?? {}
    const failed = newest?.req.complete === false ? newest : undefined
    const before = waiting.filter((response) => response !== failed)
    await Promise.all(before.map((response) => new Promise((resolve) => response.once('close', resolve))))
    return failed
  }
}
