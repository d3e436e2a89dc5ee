// Every limit on what a client may send, in one place. Node's defaults are never relied on.

export const limits = {
  /** Path and query together. */
  urlBytes: 8_192,
  /** Request line and headers together, as the parser counts them. */
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 65_536,
  /** Requests of one connection that may wait for their answers at once. */
  pipelinedRequests: 16,
  /** As long as an address can be: what names nothing is 404, not too long. */
  pathParameterLength: 8_192,
  requestIdLength: 128,
  /** A connection on which nothing moves while it owes or is owed an answer: a client that does not read. */
  socketIdleMs: 12_000,
  /** How long the rest of a refused request is read and thrown away. */
  lingerMs: 1_000,
  /** On shutdown, how long a connection just made may take to bring its first request. */
  arrivalMs: 200,
  /** On shutdown, how often connections that have become idle are looked for. */
  idleCheckMs: 25,
  /** How often the parser looks for requests that take too long. */
  connectionCheckMs: 1_000,
} as const
