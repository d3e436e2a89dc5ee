// Describes an external program that tests use (PostgreSQL, Redis, Chromium): its address and origin, or the reason why
// it is not available. A missing program is a value, not an error.
import assert from 'node:assert/strict'
import type { ServerProcess } from './server-process.ts'

export type ProgramName = 'postgres' | 'redis' | 'chromium'

interface AvailableProgram {
  name: ProgramName
  available: true
  /** A URL for a server, a path for a browser. */
  address: string
  origin: string
  stop(): Promise<void>
}

export interface MissingProgram {
  name: ProgramName
  available: false
  reason: string
}

export type Program = AvailableProgram | MissingProgram

/** A server that this process started, so fault drills may break it. */
export interface StartedProgram extends AvailableProgram {
  readonly pid: number
  /** Sends SIGKILL to the server and its children, to simulate a power cut. */
  kill(): Promise<void>
  /** Restarts the server, running or killed, on the same port with the same data. */
  restart(): Promise<void>
}

export const programTitles: Record<ProgramName, string> = {
  postgres: 'PostgreSQL',
  redis: 'Redis',
  chromium: 'Chromium',
}

export function startedProgram(
  name: ProgramName,
  address: string,
  origin: string,
  server: ServerProcess,
): StartedProgram {
  return {
    name,
    available: true,
    address,
    origin,
    get pid() {
      assert(server.pid !== undefined, `${name} is down`)
      return server.pid
    },
    kill: () => server.kill(),
    restart: () => server.restart(),
    stop: () => server.stop(),
  }
}

export function missing(name: ProgramName, reason: string): MissingProgram {
  return { name, available: false, reason }
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
