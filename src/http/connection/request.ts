// A request that parses its headers only for those who read them. Node reads `headers` of every request before it calls
// the handler, and that builds an object of all headers, a fourteenth of the time that a short request takes. Node needs
// three headers of it, which few requests have; the API reads `rawHeaders` (headers.ts).
import { type IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { type UsualHeaders, usual, usualHeaders } from './headers.ts'

/**
 * Whether the request has a body, which may be empty. One that has none is no stream (`optimizeEmptyRequests`): it never
 * ends for those who read it, it counts as destroyed, and only the response tells that the client has disconnected.
 */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined
}

export class LazyRequest extends IncomingMessage {
  override [usual]: UsualHeaders | undefined = undefined
  /** Set before the handler is called. */
  isReceived = false
}

const noHeaders: IncomingHttpHeaders = Object.freeze({})
const { get, set } = Object.getOwnPropertyDescriptor(
  IncomingMessage.prototype,
  'headers',
) as Required<PropertyDescriptor>

// Not in the class: Node's types call it a field, which no accessor may override.
Object.defineProperty(LazyRequest.prototype, 'headers', {
  get(this: LazyRequest): IncomingHttpHeaders {
    return this.isReceived || usualHeaders(this).hasExpectationOrBody ? get.call(this) : noHeaders
  },
  set,
})
