// Reads the connections of an address that has many of them in turns, and one request at a time. What arrives on all of them
// at once would otherwise be parsed before anybody else is served: a thousand connections with 16 pipelined requests each
// take half a second, and the requests that wait fill the memory with objects.
import type { Socket } from 'node:net'
import { isBusy, noteUnparsed } from './pipeline.ts'
import type { StartQueue } from './start-queue.ts'

interface Unparsed {
  /** Passes bytes to Node's parser. */
  readonly parse: (bytes: Buffer) => void
  readonly queue: StartQueue<Socket>
  /** What waits for its turn. The connection is paused until all of it is parsed. */
  bytes: Buffer | undefined
  /** Tells Node that the client sends no more. */
  readonly end: () => void
  /** Whether that is to be told once all bytes are parsed. */
  isEnded: boolean
}

/** What Node's HTTP server keeps on its sockets. */
interface Kept {
  /** Given up when the connection is closed, or handed over as after CONNECT. */
  readonly parser: unknown
  /** Set while the client has to read first. Nothing must be parsed then. */
  readonly _paused: boolean
}

const unparsed = Symbol('unparsed')
const endOfHead = '\r\n\r\n'

declare module 'node:net' {
  interface Socket {
    [unparsed]?: Unparsed | undefined
  }
}

/** Call it when the connection opens: see remembered-caller.ts. */
export function readDirectly(socket: Socket): void {
  socket[unparsed] = undefined
}

/** Call it for a connection to which Node listens already. */
export function readInTurns(socket: Socket, queue: StartQueue<Socket>): void {
  const [parse] = socket.listeners('data') as Unparsed['parse'][]
  // The name of Node's function, of which each connection has a bound one.
  const end = socket.listeners('end').find(({ name }) => name === 'bound socketOnEnd') as Unparsed['end']
  if (parse === undefined || end === undefined) return
  const state: Unparsed = { parse, queue, bytes: undefined, end, isEnded: false }
  socket[unparsed] = state
  socket.off('data', parse).off('end', end)
  // Node now passes what arrives to this listener, and no longer directly to its parser.
  socket.on('data', (bytes: Buffer) => {
    // After the last response, whatever arrives is discarded.
    if (!socket.writable) return
    socket.pause()
    // Node resumes a connection for its own reasons too.
    if (state.bytes !== undefined) socket.unshift(bytes)
    else {
      state.bytes = bytes
      noteUnparsed(socket, true)
      queue.add(socket)
    }
  })
  socket.on('end', () => {
    if (state.bytes === undefined) end()
    else state.isEnded = true
  })
}

/** It is the turn of this connection: parses what waits, up to the end of the next request's headers. */
export function parseNext(socket: Socket): void {
  const state = socket[unparsed]
  if (state?.bytes === undefined) return
  const { parser, _paused: mustRead } = socket as unknown as Kept
  // While a request is in progress, the rest waits: the connection gets another turn after the response.
  if (isBusy(socket) || mustRead) return
  const { bytes } = state
  const isOver = !socket.writable || !parser
  const at = bytes.indexOf(endOfHead)
  const end = isOver || at === -1 ? bytes.length : at + endOfHead.length
  state.bytes = end === bytes.length ? undefined : bytes.subarray(end)
  noteUnparsed(socket, state.bytes !== undefined)
  // Before the bytes are parsed, because a request among them may pause the connection.
  if (state.bytes === undefined) socket.resume()
  if (!isOver) state.parse(bytes.subarray(0, end))
  if (state.bytes === undefined) {
    if (state.isEnded && !socket.destroyed) state.end()
  } else {
    socket.pause()
    if (!isBusy(socket)) state.queue.add(socket)
  }
}
