// Runs one throw-away server process: starts it in its own process group, polls until it responds, kills or restarts it
// on request, and removes it with its directory when this process ends, however it ends. Knows nothing of PostgreSQL or
// Redis.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

export interface ServerPlan {
  path: string
  args: readonly string[]
  /** The server's data and log; `stop` removes it. */
  directory: string
  /** The user to run as, if this process is root. */
  account?: { uid: number; gid: number }
  stopSignal: NodeJS.Signals
  answers(): Promise<boolean>
}

const readyMaxMs = 30_000
const readyPollMs = 50
// A server killed a moment ago may still hold its port or shared memory, so one early exit is retried.
const launchesMax = 5
const stopMaxMs = 10_000
const logLineMaxChars = 300
const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

// Blocks on stdin until this process has ended, then cleans up. Only this works if this process is ended by SIGKILL.
const guardScript = 'read -r _; kill -s KILL -- "-$1" 2>/dev/null; rm -rf -- "$2"'

export async function startServer(plan: ServerPlan): Promise<ServerProcess> {
  const server = new ServerProcess(plan)
  try {
    await server.launch()
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

export class ServerProcess {
  readonly #plan: ServerPlan
  readonly #logPath: string
  #child: ChildProcess | undefined
  #guard: ChildProcess | undefined

  constructor(plan: ServerPlan) {
    this.#plan = plan
    this.#logPath = join(plan.directory, 'server.log')
    process.on('exit', this.#clearUp)
    for (const signal of endingSignals) process.on(signal, this.#clearUpOnSignal)
  }

  /** Undefined while the server is down. */
  get pid(): number | undefined {
    return this.#child?.pid
  }

  async launch(): Promise<void> {
    const deadline = Date.now() + readyMaxMs
    for (let launches = 1; ; launches++) {
      this.#spawn()
      if (await this.#becomesReady(deadline)) return
      const why = this.#isRunning() ? `does not respond after ${readyMaxMs / 1000} s` : 'ended at once'
      await this.kill()
      if (launches === launchesMax || Date.now() >= deadline) {
        throw new Error(`${this.#plan.path} ${why}: ${this.#lastLogLine()}`)
      }
    }
  }

  async kill(): Promise<void> {
    await this.#end(() => this.#killNow())
  }

  async restart(): Promise<void> {
    await this.#shutDown()
    await this.launch()
  }

  async stop(): Promise<void> {
    await this.#shutDown()
    process.off('exit', this.#clearUp)
    for (const signal of endingSignals) process.off(signal, this.#clearUpOnSignal)
    rmSync(this.#plan.directory, { recursive: true, force: true })
  }

  #spawn(): void {
    const { path, args, directory, account } = this.#plan
    const log = openSync(this.#logPath, 'a')
    const child = spawn(path, args, {
      cwd: directory,
      detached: true,
      // Not our own environment: PGPORT, PGDATA and similar variables would change the server's behaviour.
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C', TZ: 'UTC' },
      stdio: ['ignore', log, log],
      ...account,
    })
    closeSync(log)
    // A failed spawn leaves a child without a pid; the error event only needs a listener.
    child.on('error', () => {})
    child.unref()
    this.#child = child
    if (child.pid !== undefined) this.#guard = spawnGuard(child.pid, directory)
  }

  async #becomesReady(deadline: number): Promise<boolean> {
    while (this.#isRunning() && Date.now() < deadline) {
      if (await this.#plan.answers()) return true
      await pause(readyPollMs)
    }
    return false
  }

  async #shutDown(): Promise<void> {
    const timer = setTimeout(() => this.#killNow(), stopMaxMs)
    await this.#end((child) => child.kill(this.#plan.stopSignal))
    clearTimeout(timer)
  }

  async #end(send: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child
    if (child && this.#isRunning()) {
      const ended = once(child, 'exit')
      child.ref()
      send(child)
      await ended
    }
    this.#guard?.kill('SIGKILL')
    this.#guard = undefined
    this.#child = undefined
  }

  #isRunning(): boolean {
    const child = this.#child
    return child?.pid !== undefined && child.exitCode === null && child.signalCode === null
  }

  #killNow(): void {
    const pid = this.#child?.pid
    if (pid === undefined || !this.#isRunning()) return
    // PostgreSQL's backends create process groups of their own, so killing the server's group misses them.
    const children = childrenOf(pid)
    sendKill(-pid)
    for (const child of children) sendKill(child)
  }

  readonly #clearUp = (): void => {
    this.#killNow()
    rmSync(this.#plan.directory, { recursive: true, force: true, maxRetries: 3 })
  }

  readonly #clearUpOnSignal = (signal: NodeJS.Signals): void => {
    this.#clearUp()
    process.off(signal, this.#clearUpOnSignal)
    // Our listener replaced the signal's default action, which ends the process. Other listeners may end it their own
    // way.
    if (process.listenerCount(signal) === 0) process.kill(process.pid, signal)
  }

  #lastLogLine(): string {
    const log = readFileSync(this.#logPath, 'utf8').trimEnd()
    return log.slice(log.lastIndexOf('\n') + 1).slice(0, logLineMaxChars) || 'its log is empty'
  }
}

function spawnGuard(pid: number, directory: string): ChildProcess {
  const guard = spawn('/bin/sh', ['-c', guardScript, 'guard', String(pid), directory], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return guard
}

/** Linux only. On other systems the backends exit by themselves once their parent is gone. */
function childrenOf(pid: number): number[] {
  try {
    const list = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function sendKill(target: number): void {
  try {
    process.kill(target, 'SIGKILL')
  } catch {
    // The process has already ended.
  }
}
