// Starts a real server for a test: its own database and port, real HTTP, and its log for inspection.
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import type { Clock } from '../../src/clock.ts'
import { parseConfig } from '../../src/config.ts'
import { openLog } from '../../src/log.ts'
import { type RunningServer, startServer } from '../../src/server.ts'
import type { Engine } from '../databases/engines.ts'
import { plentiful } from '../databases/open-database.ts'
import { endLater } from '../lifetime.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { lightCost } from '../sign-in/light-password.ts'

export interface TestServer extends RunningServer {
  readonly port: number
  readonly logText: () => string
  /** Advances the server's clock. */
  readonly wait: (ms: number) => void
  /** The current time of the server's clock. */
  readonly now: () => string
  /** Sends a GET request with the demo key. */
  get(path: string, options?: RequestInit): Promise<Response>
}

/** Sends raw bytes and reads until the server closes the connection. */
export async function sendRaw(port: number, bytes: string | Buffer): Promise<string> {
  const socket = await openSocket(port)
  socket.write(bytes)
  return readToEnd(socket)
}

export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  onTestFinished(() => void socket.destroy())
  return socket
}

export async function readToEnd(socket: Socket): Promise<string> {
  let text = ''
  socket.setEncoding('utf8').on('data', (piece) => {
    text += piece
  })
  await once(socket, 'close')
  return text
}

/** No test queries DNS or sends requests to other machines. */
const resolveToThisMachine = async () => ['127.0.0.1']

/** Uses a clock that stands still until `wait` moves it, unless another is given. */
export async function startTestServer(
  engine: Engine,
  env: Record<string, string> = {},
  ownClock?: Clock & Partial<ManualClock>,
): Promise<TestServer> {
  const config = parseConfig({
    LOG_LEVEL: 'debug',
    PORT: '0',
    DRAIN_MS: '0',
    ...plentiful,
    ...(env.DATA_DIR === undefined && (await engine.settings(ownClock === undefined ? 'sample' : 'empty'))),
    ...env,
  })
  let logText = ''
  const log = openLog(config, {
    write(line) {
      logText += line
    },
  })
  const clock: Clock & Partial<ManualClock> = ownClock ?? manualClock()
  const server = await startServer(config, log, clock, {
    resolve: resolveToThisMachine,
    passwordCost: lightCost,
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= server.close()
    return closing
  }
  endLater(close)
  return {
    ...server,
    close,
    port: Number(new URL(server.baseUrl).port),
    logText: () => logText,
    wait(ms) {
      if (clock.moveTo === undefined) throw new Error('the clock of this server cannot be moved')
      clock.moveTo(new Date(clock.nowMs() + ms).toISOString())
    },
    now: () => clock.now().toISOString(),
    get: (path, options = {}) =>
      fetch(`${server.baseUrl}${path}`, {
        ...options,
        headers: { authorization: `Bearer ${server.demoKey}`, ...options.headers },
      }),
  }
}

/** Starts a server with a small catalogue, which starts sooner: for tests that do not depend on its contents. */
export async function startSmallServer(
  engine: Engine,
  env: Record<string, string> = {},
): Promise<TestServer> {
  return startTestServer(engine, { ...(await engine.settings('few')), ...env })
}
