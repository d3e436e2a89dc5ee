// Runs the processes of a benchmark: pins each to a core, waits for its output, reads its CPU and memory use, and kills
// all of them when the benchmark exits, for whatever reason.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { findBinary } from '../../test/programs/binaries.ts'

/** One core for the measured server, the other for the load and the benchmark itself. */
const cores = { server: '0', load: '1', any: '0,1' } as const

const attemptsMax = 10
const stopMaxMs = 30_000
const complaintMaxChars = 2_000
/** The unit of the CPU times in /proc. */
export const cpuTickSeconds = 0.01

interface StartOptions {
  readonly core: keyof typeof cores
  readonly env?: NodeJS.ProcessEnv
  readonly maxMs: number
}

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL')
})
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))

/** Moves this process to the load core, away from the measured server. */
export function moveToLoadCore(): void {
  const args = ['-a', '-cp', cores.load, String(process.pid)]
  // taskset fails if a thread ends while it goes through them.
  for (let attempt = 1; spawnSync(getTaskset(), args).status !== 0; attempt++) {
    if (attempt === attemptsMax) throw new Error(`taskset ${args.join(' ')} failed`)
  }
}

function getTaskset(): string {
  const taskset = findBinary({ names: ['taskset'] })
  if (taskset === undefined) throw new Error('this benchmark pins processes to cores: it needs taskset')
  return taskset
}

/** CPU seconds that all programs together have used of the server's core so far. */
export function serverCoreSeconds(): number {
  const line =
    new RegExp(`^cpu${cores.server} (.*)$`, 'm').exec(readFileSync('/proc/stat', 'utf8'))?.[1] ?? ''
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0] = line.split(' ').map(Number)
  return (user + nice + system + irq + softIrq) * cpuTickSeconds
}

export class BenchProcess {
  readonly #child: ChildProcess
  readonly #command: string
  readonly #ended: Promise<unknown>
  #output = ''
  #complaint = ''
  #onNews = () => {}
  #hasEnded = false

  constructor(command: readonly string[], { core, env, maxMs }: StartOptions) {
    this.#command = command.join(' ')
    this.#child = spawn(getTaskset(), ['-c', cores[core], ...command], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: maxMs,
      killSignal: 'SIGKILL',
    })
    running.add(this.#child)
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#output += text
      this.#onNews()
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint = (this.#complaint + text).slice(-complaintMaxChars)
    })
    this.#ended = once(this.#child, 'close').finally(() => {
      running.delete(this.#child)
      this.#hasEnded = true
      this.#onNews()
    })
    this.#ended.catch(() => {})
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get hasEnded(): boolean {
    return this.#hasEnded
  }

  /** Everything the process has printed to stdout so far. */
  get output(): string {
    return this.#output
  }

  /** Resolves with the first printed line that matches the pattern. */
  async line(pattern: RegExp): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.#onNews = () => {
      const found = this.#output
        .split('\n')
        .slice(0, -1)
        .find((line) => pattern.test(line))
      if (found !== undefined) resolve(found)
      else if (this.#hasEnded) reject(this.#endedEarly())
    }
    this.#onNews()
    return promise
  }

  /** Waits until the process exits by itself; returns its whole output. Rejects unless the exit code is 0. */
  async end(): Promise<string> {
    await this.#ended
    if (this.#child.exitCode !== 0) throw this.#endedEarly()
    return this.#output
  }

  /** Sends SIGINT, so that the process can still print its result. */
  interrupt(): void {
    this.signal('SIGINT')
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name)
  }

  async stop(): Promise<void> {
    if (this.#hasEnded) return
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), stopMaxMs)
    await this.#ended.catch(() => {})
    clearTimeout(timer)
  }

  rssBytes(): number {
    const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024
  }

  /** CPU seconds of all threads of the process so far; 0 after it has exited. */
  cpuSeconds(): number {
    try {
      const stat = readFileSync(`/proc/${this.pid}/stat`, 'utf8')
      // The fields follow the process name, which may contain spaces: state is field 3, utime 14, stime 15.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return (Number(fields[11]) + Number(fields[12])) * cpuTickSeconds
    } catch {
      return 0
    }
  }

  #endedEarly(): Error {
    const { exitCode, signalCode } = this.#child
    return new Error(`${this.#command} ended (${signalCode ?? exitCode}): ${this.#complaint || this.#output}`)
  }
}
