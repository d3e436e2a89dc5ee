// Finds a PostgreSQL for the tests: the one named by TEST_DATABASE_URL, or a throw-away cluster in a temporary
// directory, reached over a Unix socket there or over a loopback port.
import { execFile } from 'node:child_process'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { findFreePort } from './free-port.ts'
import { obtainBinary } from './obtain-binary.ts'
import {
  type MissingProgram,
  missing,
  type Program,
  reasonOf,
  type StartedProgram,
  startedProgram,
} from './program.ts'
import { startServer } from './server-process.ts'

export interface PostgresOptions {
  /** True: every acknowledged commit survives a kill, and clients connect over TCP. False is faster. */
  durable?: boolean
}

type Account = { uid: number; gid: number }

const connectionsMax = 200
const connectMaxMs = 2_000
const initdbMaxMs = 60_000
const binaries = { names: ['initdb'], directories: ['/usr/lib/postgresql/*/bin'] }
// Unsafe settings are fine for data that is thrown away; `durable` drills keep the defaults. No database lives long
// enough to need vacuuming, and hundreds of databases would keep autovacuum busy.
const notDurable = [
  'fsync=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'autovacuum=off',
]
/** The maximum length of a Unix socket path on Linux and macOS, minus the name of the socket itself. */
const socketDirectoryMax = 85

const run = promisify(execFile)

export async function findPostgres(options: PostgresOptions = {}): Promise<Program> {
  const url = process.env.TEST_DATABASE_URL
  if (!url) return startPostgres(options)
  const failure = await findConnectFailure(url)
  if (failure) return missing('postgres', `TEST_DATABASE_URL does not respond (${failure})`)
  return {
    name: 'postgres',
    available: true,
    address: url,
    origin: 'TEST_DATABASE_URL',
    stop: async () => {},
  }
}

/** Always starts a new server and ignores TEST_DATABASE_URL: a drill may kill the server this returns. */
export async function startPostgres(options: PostgresOptions = {}): Promise<StartedProgram | MissingProgram> {
  const initdb = await obtainBinary(binaries, 'postgresql')
  if (!initdb.found) return missing('postgres', initdb.reason)
  const origin = `started from ${dirname(dirname(initdb.path))}${initdb.installed ? ', from apt-get' : ''}`
  const directory = await mkdtemp(join(tmpdir(), 'watchdata-postgres-'))
  try {
    return await startCluster(initdb.path, directory, origin, options.durable ?? false)
  } catch (error) {
    await rm(directory, { recursive: true, force: true })
    return missing('postgres', reasonOf(error))
  }
}

async function startCluster(
  initdb: string,
  directory: string,
  origin: string,
  durable: boolean,
): Promise<StartedProgram> {
  const account = await findPlainAccount()
  if (account) await chown(directory, account.uid, account.gid)
  const data = join(directory, 'data')
  await run(initdb, ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], {
    cwd: directory,
    timeout: initdbMaxMs,
    ...account,
  })
  const port = await findFreePort()
  // A query over a Unix socket takes a third of the CPU time of one over TCP.
  const hasSocket = !durable && directory.length <= socketDirectoryMax
  const host = hasSocket ? encodeURIComponent(directory) : '127.0.0.1'
  const url = `postgres://postgres@${host}:${port}/postgres`
  const server = await startServer({
    path: join(dirname(initdb), 'postgres'),
    args: serverArguments(data, port, hasSocket ? directory : '', durable),
    directory,
    ...(account && { account }),
    // Fast shutdown. SIGTERM would wait for every client to disconnect.
    stopSignal: 'SIGINT',
    answers: async () => (await findConnectFailure(url)) === undefined,
  })
  return startedProgram('postgres', url, origin, server)
}

function serverArguments(data: string, port: number, sockets: string, durable: boolean): string[] {
  const settings = [
    `port=${port}`,
    'listen_addresses=127.0.0.1',
    `unix_socket_directories=${sockets}`,
    `max_connections=${connectionsMax}`,
    ...(durable ? [] : notDurable),
  ]
  return ['-D', data, ...settings.flatMap((setting) => ['-c', setting])]
}

/** PostgreSQL refuses to run as root. Undefined when this process is not root. */
export async function findPlainAccount(): Promise<Account | undefined> {
  if (process.getuid?.() !== 0) return undefined
  for (const name of ['postgres', 'nobody']) {
    try {
      const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
    } catch {
      // No such user: try the next.
    }
  }
  throw new Error('PostgreSQL must not run as root and there is no user postgres or nobody to run it as')
}

async function findConnectFailure(url: string): Promise<string | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: connectMaxMs })
  // A connection lost after the query does not matter here, but an unhandled error event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('SELECT 1')
    return undefined
  } catch (error) {
    return reasonOf(error)
  } finally {
    await client.end().catch(() => {})
  }
}
