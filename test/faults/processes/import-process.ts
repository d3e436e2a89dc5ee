// Runs one `watchdata import` or `watchdata imports undo` as a child process: returns its summary, or kills it.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import type { Environment } from '../../../src/config.ts'
import type { ImportSummary } from '../../../src/imports/import-options.ts'
import { compileCache } from '../../compile-cache.ts'

const command = path.resolve(import.meta.dirname, '../../../bin/watchdata')

export class ImportProcess {
  readonly #child: ChildProcess
  readonly #said: Promise<readonly [string, string]>
  readonly #ended: Promise<unknown>

  constructor(settings: Environment, flags: readonly string[]) {
    this.#child = spawn(command, [...flags, '--json'], {
      env: { PATH: process.env.PATH, ...compileCache, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
      // Its own process group: the command is a script that starts the runtime.
      detached: true,
    })
    process.prependListener('exit', this.#killNow)
    const { stdout, stderr } = this.#child
    this.#said = Promise.all([stdout === null ? '' : text(stdout), stderr === null ? '' : text(stderr)])
    this.#ended = once(this.#child, 'close').finally(() => process.off('exit', this.#killNow))
  }

  static import(settings: Environment, file: string): ImportProcess {
    return new ImportProcess(settings, ['import', file, '--rejected', `${file}.rejected`])
  }

  static undo(settings: Environment, run: number): ImportProcess {
    return new ImportProcess(settings, ['imports', 'undo', String(run)])
  }

  async summary(): Promise<ImportSummary> {
    await this.#ended
    const [said, complaint] = await this.#said
    if (this.#child.exitCode !== 0) throw new Error(`an import failed: ${complaint}`)
    return JSON.parse(said)
  }

  /** Sends SIGKILL; returns true if the import was still running. */
  async kill(): Promise<boolean> {
    this.#killNow()
    await this.#ended
    return this.#child.signalCode === 'SIGKILL'
  }

  readonly #killNow = (): void => {
    try {
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL')
    } catch {
      // The process has already ended.
    }
  }
}
