// Every limit on what a client may send, and on what it may leave unread. Node's defaults are never relied on.

export const limits = {
  /** Path and query together. */
  urlBytes: 8_192,
  /** All headers together. */
  headerBytes: 16_384,
  /**
   * Request line and headers, as the parser counts them: more than is allowed, so that most requests that are too large
   * are read, and their responses can tell what was too long and how much of the caller's quota remains.
   */
  parsedBytes: 32_768,
  headerCount: 100,
  bodyBytes: 65_536,
  /** Pipelined requests of one connection that may wait for their responses at once. */
  pipelinedRequests: 16,
  /** As long as a URL can be: an id that does not exist is 404, never "too long". */
  pathParameterLength: 8_192,
  requestIdLength: 128,
  /** Idle time after which a connection with an unfinished exchange is cut, e.g. a client that does not read. */
  socketIdleMs: 12_000,
  /** The slowest that a client may read a response, in bytes per second; mobile clients read some 10 KB/s. */
  readBytesPerSecond: 2_048,
  /**
   * That is measured in every third round of the checks, over three of those: a client that stops reading is cut within
   * 13 seconds. Where the operating system does not tell what was received, over four: it takes the bytes of a large send
   * buffer by the third, and an honest client may seem to read nothing for as long.
   */
  readCheckRounds: 3,
  readChecks: 3,
  readChecksUnknown: 4,
  /** Connections of one address that are read whenever something arrives; further ones are read in turns. */
  readDirectly: 64,
  /** Bytes of responses that the clients of one address have not taken yet; beyond, their next requests wait. */
  owedBytesPerAddress: 8 * 1_024 * 1_024,
  /**
   * How long, and how many, requests that had to wait are started in one run of the event loop. Some owe their bytes only
   * after it, so more would exceed the bound of their address.
   */
  startMs: 1,
  startedAtOnce: 2,
  /** How long they wait at most for new connections to be accepted, before they have their turn. */
  asideMs: 100,
  /** Connections that may wait to be accepted. Beyond, the operating system ignores a new one, which tries again after 1 s. */
  acceptBacklog: 4_096,
  /** Connections that are looked at for an idle one, to make room for a new one. */
  idleSearch: 2_000,
  /** The automatic share of an address. To open or close more connections at once would hold up others for 50 ms. */
  addressShare: 1 / 20,
  /** The smallest automatic share of an address: a browser opens six connections. */
  connectionsPerAddressMin: 10,
  /** Connections that are checked in one run of the event loop: to cut them all takes some 2 ms. */
  checkedAtOnce: 100,
  /** How long the rest of a refused request is read and discarded. */
  lingerMs: 1_000,
  /** On shutdown, how long a new connection may take to send its first request. */
  arrivalMs: 200,
  /** On shutdown, how often idle connections are closed. */
  idleCheckMs: 25,
  /** How often connections are checked: whether a request exceeds its timeout, or the client is idle or slow. */
  connectionCheckMs: 1_000,
} as const
