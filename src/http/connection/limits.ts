// Every limit on what a client may send. Node's defaults are never relied on.

export const limits = {
  /** Path and query together. */
  urlBytes: 8_192,
  /** Request line and headers together, as the parser counts them. */
  headerBytes: 16_384,
  headerCount: 100,
  bodyBytes: 65_536,
  /** Pipelined requests of one connection that may wait for their responses at once. */
  pipelinedRequests: 16,
  /** As long as a URL can be: an id that does not exist is 404, never "too long". */
  pathParameterLength: 8_192,
  requestIdLength: 128,
  /** Idle time after which a connection with an unfinished exchange is cut, e.g. a client that does not read. */
  socketIdleMs: 12_000,
  /** How long the rest of a refused request is read and discarded. */
  lingerMs: 1_000,
  /** On shutdown, how long a new connection may take to send its first request. */
  arrivalMs: 200,
  /** On shutdown, how often idle connections are closed. */
  idleCheckMs: 25,
  /** How often connections are checked: whether a request exceeds its timeout, or the connection is idle. */
  connectionCheckMs: 1_000,
} as const
