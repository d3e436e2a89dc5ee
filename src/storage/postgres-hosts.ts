// Finds the PostgreSQL server that accepts writes, among the hosts of a URL written as libpq has it:
// `postgres://host1:5432,host2:5432/db?target_session_attrs=read-write`. Searches again when it is lost.
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { Failure } from '../errors.ts'
import type { Log } from '../log.ts'

const shape =
  /^(?<start>postgres(?:ql)?:\/\/(?:[^@/?]*@)?)(?<hosts>[^/?]*)(?<path>\/[^?]*)?(?:\?(?<query>.*))?$/
const searchMs = 250
/** How long one server may take to answer whether it accepts writes. */
const answerMaxMs = 2_000
/** At the start, a cluster that is failing over gets this long. */
const firstMaxMs = 10_000

export interface HostList {
  /** A URL for each host. */
  readonly urls: readonly string[]
  /** Whether any host will do, or only one that accepts writes. */
  readonly isAny: boolean
}

/** `setting` is named in the failure. */
export function parseHosts(url: string, setting: string): HostList {
  const { start, hosts = '', path = '', query = '' } = shape.exec(url)?.groups ?? {}
  if (start === undefined) throw new Failure(`${setting} is malformed: write postgres://user@host:5432/name.`)
  const parameters = query.split('&').filter((one) => one !== '')
  const isWanted = (one: string) => one.startsWith('target_session_attrs=')
  const wanted = parameters.find(isWanted)?.split('=')[1]
  const known = ['any', 'read-write', 'primary', undefined]
  if (!known.includes(wanted)) {
    throw new Failure(`${setting} has an unknown target_session_attrs: use read-write, or any.`)
  }
  const rest = parameters.filter((one) => !isWanted(one))
  const end = `${path}${rest.length === 0 ? '' : `?${rest.join('&')}`}`
  const urls = hosts.split(',').map((host) => `${start}${host}${end}`)
  // A single host is what the operator says it is: perhaps the address of a proxy that knows better.
  return { urls, isAny: wanted === 'any' || (wanted === undefined && urls.length === 1) }
}

export class PostgresHosts {
  readonly #list: HostList
  readonly #options: pg.ClientConfig
  readonly #log: Log
  readonly #closing = new AbortController()
  #current: string
  #searching: Promise<void> | undefined
  #onMove: () => void = () => {}

  constructor(list: HostList, options: pg.ClientConfig, log: Log) {
    this.#list = list
    this.#options = options
    this.#log = log
    this.#current = list.urls[0] ?? ''
  }

  /** The URL to connect to. */
  get current(): string {
    return this.#current
  }

  /** Calls `hear` when another server has become the one to use. */
  onMove(hear: () => void): void {
    this.#onMove = hear
  }

  /** Resolves when a server was found, or none after a while. */
  async open(): Promise<void> {
    if (this.#list.isAny) return
    await Promise.race([this.search(), delay(firstMaxMs, undefined, { ref: false })])
  }

  /** Call it when the server is lost, or turns out to be a standby. */
  search(): Promise<void> {
    if (this.#list.isAny) return Promise.resolve()
    this.#searching ??= this.#searchOn().finally(() => {
      this.#searching = undefined
    })
    return this.#searching
  }

  close(): void {
    this.#closing.abort()
  }

  async #searchOn(): Promise<void> {
    const { signal } = this.#closing
    while (!signal.aborted) {
      const answers = await Promise.all(
        this.#list.urls.map(async (url) => [url, await this.#accepts(url)] as const),
      )
      const found = answers.find(([, isAccepted]) => isAccepted)?.[0]
      if (found !== undefined) return this.#moveTo(found)
      await delay(searchMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  #moveTo(url: string): void {
    if (url === this.#current) return
    this.#current = url
    this.#log.warn({ host: hostOf(url) }, 'another PostgreSQL server is the one that accepts writes')
    this.#onMove()
  }

  async #accepts(url: string): Promise<boolean> {
    const options = { connectionTimeoutMillis: answerMaxMs, query_timeout: answerMaxMs }
    const client = new pg.Client({ ...this.#options, ...options, connectionString: url })
    // An unhandled error event would end the process; the same error rejects the call.
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query(
        "select not pg_is_in_recovery() and current_setting('default_transaction_read_only') = 'off' as accepts",
      )
      return rows[0]?.accepts === true
    } catch {
      return false
    } finally {
      client.end().catch(() => {})
    }
  }
}

function hostOf(url: string): string {
  return shape.exec(url)?.groups?.hosts ?? ''
}
