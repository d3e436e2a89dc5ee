// Runs one PostgreSQL server of a cluster on a loopback port: an empty one, a copy of a stopped one, or a streaming
// replica of a running one. The server syncs as in production, and may be killed, stopped, promoted and restarted.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { chown, mkdtemp, realpath, rename } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { findFreePort } from '../../../programs/free-port.ts'
import { obtainBinary } from '../../../programs/obtain-binary.ts'
import { findPlainAccount } from '../../../programs/postgres.ts'
import { type ServerProcess, startServer } from '../../../programs/server-process.ts'
import { sendToAll } from './signals.ts'

export interface PostgresNode {
  readonly port: number
  readonly url: string
  /** The data directory, which only a stopped server may be copied from. */
  readonly data: string
  readonly isRunning: boolean
  /** Runs one statement on a connection of its own. */
  query(text: string): Promise<Record<string, unknown>[]>
  /** Sends SIGKILL to the server and all its backends. */
  kill(): Promise<void>
  restart(): Promise<void>
  /** Sends SIGSTOP to the server and all its backends: connections stay open, nothing responds. */
  freeze(): void
  thaw(): void
  /** Ends the server and removes its directory. */
  stop(): Promise<void>
}

export interface NodePlan {
  /** The data directory of a stopped server to start from; absent for an empty one. */
  readonly template?: string
  /** The running server to replicate. */
  readonly primary?: PostgresNode
  /** Prepares the directory of the server, before there is data in it. */
  readonly prepare?: (directory: string) => void
}

const binaries = { names: ['initdb'], directories: ['/usr/lib/postgresql/*/bin'] }
export const connectionsMax = 120
const programMaxMs = 60_000
const connectMaxMs = 2_000
const queryMaxMs = 5_000

const run = promisify(execFile)

export async function startNode({ template, primary, prepare }: NodePlan = {}): Promise<PostgresNode> {
  const initdb = await obtainBinary(binaries, 'postgresql')
  if (!initdb.found) throw new Error(initdb.reason)
  // Links on PATH may lead to a few of the programs only.
  const bin = path.dirname(await realpath(initdb.path))
  const account = await findPlainAccount()
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-node-'))
  prepare?.(directory)
  if (account) await chown(directory, account.uid, account.gid)
  const data = path.join(directory, 'data')
  const port = await findFreePort()
  const options = { cwd: directory, timeout: programMaxMs, ...account }
  if (template !== undefined) await run('cp', ['-a', template, data], { timeout: programMaxMs })
  else if (primary === undefined) await run(initdb.path, initdbArguments(data), options)
  else await run(path.join(bin, 'pg_basebackup'), backupArguments(data, primary.port), options)
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  const server = await startServer({
    path: path.join(bin, 'postgres'),
    args: serverArguments(data, port),
    directory,
    ...(account && { account }),
    stopSignal: 'SIGINT',
    answers: () => ask(url, 'select 1').then(isTrue, isFalse),
  })
  return new Node({ port, url, data }, server)
}

/** Keeps the data of a server for copies, and ends the server. Returns the directory of the data. */
export async function keepData(node: PostgresNode, directory: string): Promise<string> {
  const kept = path.join(directory, 'template')
  // After the checkpoint a copy has next to nothing to recover.
  await node.query('checkpoint')
  await node.kill()
  await rename(node.data, kept)
  await node.stop()
  return kept
}

class Node implements PostgresNode {
  readonly port: number
  readonly url: string
  readonly data: string
  readonly #server: ServerProcess

  constructor({ port, url, data }: Pick<PostgresNode, 'port' | 'url' | 'data'>, server: ServerProcess) {
    this.port = port
    this.url = url
    this.data = data
    this.#server = server
  }

  get isRunning(): boolean {
    return this.#server.pid !== undefined
  }

  query(text: string): Promise<Record<string, unknown>[]> {
    return ask(this.url, text)
  }

  kill(): Promise<void> {
    return this.#server.kill()
  }

  restart(): Promise<void> {
    return this.#server.restart()
  }

  freeze(): void {
    sendToAll(this.#processes(), 'SIGSTOP')
  }

  thaw(): void {
    sendToAll(this.#processes(), 'SIGCONT')
  }

  stop(): Promise<void> {
    return this.#server.stop()
  }

  /** The postmaster first: while it is stopped, it starts no backend. */
  #processes(): number[] {
    const { pid } = this.#server
    if (pid === undefined) return []
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return [pid, ...children.split(' ').filter(Boolean).map(Number)]
  }
}

async function ask(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: connectMaxMs,
    query_timeout: queryMaxMs,
  })
  client.on('error', () => {})
  try {
    await client.connect()
    return (await client.query(text)).rows
  } finally {
    void client.end().catch(() => {})
  }
}

function initdbArguments(data: string): string[] {
  return ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']
}

function backupArguments(data: string, port: number): string[] {
  const source = ['-h', '127.0.0.1', '-p', String(port), '-U', 'postgres']
  return ['-D', data, ...source, '--write-recovery-conf', '--checkpoint=fast', '--no-sync']
}

function serverArguments(data: string, port: number): string[] {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    `max_connections=${connectionsMax}`,
    'wal_keep_size=64MB',
    'max_wal_size=128MB',
    'wal_retrieve_retry_interval=200ms',
  ]
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
}

function isTrue(): boolean {
  return true
}

function isFalse(): boolean {
  return false
}
