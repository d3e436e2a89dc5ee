// Finds a Redis (or Valkey) for the tests: the one named by TEST_REDIS_URL, or a throw-away server on a loopback port
// that persists nothing to disk.
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createClient } from 'redis'
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

const connectMaxMs = 2_000
const binaries = { names: ['redis-server', 'valkey-server'] }

export async function findRedis(): Promise<Program> {
  const url = process.env.TEST_REDIS_URL
  if (!url) return startRedis()
  const failure = await findPingFailure(url)
  if (failure) return missing('redis', `TEST_REDIS_URL does not respond (${failure})`)
  return { name: 'redis', available: true, address: url, origin: 'TEST_REDIS_URL', stop: async () => {} }
}

/** Always starts a new server and ignores TEST_REDIS_URL: a drill may kill the server this returns. */
export async function startRedis(): Promise<StartedProgram | MissingProgram> {
  const binary = await obtainBinary(binaries, 'redis-server')
  if (!binary.found) return missing('redis', binary.reason)
  try {
    const directory = await mkdtemp(join(tmpdir(), 'watchdata-redis-'))
    const port = await findFreePort()
    const url = `redis://127.0.0.1:${port}`
    const server = await startServer({
      path: binary.path,
      args: serverArguments(directory, port),
      directory,
      stopSignal: 'SIGTERM',
      answers: async () => (await findPingFailure(url)) === undefined,
    })
    const origin = `started from ${dirname(binary.path)}${binary.installed ? ', from apt-get' : ''}`
    return startedProgram('redis', url, origin, server)
  } catch (error) {
    return missing('redis', reasonOf(error))
  }
}

function serverArguments(directory: string, port: number): string[] {
  const address = ['--port', String(port), '--bind', '127.0.0.1']
  return [...address, '--save', '', '--appendonly', 'no', '--dir', directory]
}

async function findPingFailure(url: string): Promise<string | undefined> {
  const client = createClient({ url, socket: { connectTimeout: connectMaxMs, reconnectStrategy: false } })
  // Without a listener the client's error event would end the process; the rejection below reports the same error.
  client.on('error', () => {})
  try {
    await client.connect()
    await client.ping()
    return undefined
  } catch (error) {
    return reasonOf(error)
  } finally {
    client.destroy()
  }
}
