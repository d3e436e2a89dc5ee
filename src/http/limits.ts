// Every limit on what a client may send, in one place. Node's defaults are never relied on.

export const limits = {
  /** Path and query together. */
  urlBytes: 8_192,
  /** Request line and all headers, measured by the parser. */
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 65_536,
  pathParameterLength: 256,
  requestIdLength: 128,
  /** A connection on which nothing moves, while answering a client that does not read. */
  socketIdleMs: 30_000,
  /** How often the parser looks for requests that take too long. */
  connectionCheckMs: 1_000,
} as const
