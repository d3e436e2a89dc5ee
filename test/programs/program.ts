// In charge of what the tests know about an outside program (PostgreSQL, Redis, Chromium): where it is and
// where it came from, or why it could not be had. Being without one is a value, not an error.
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

/** A server this process started and may therefore also break, for fault drills. */
export interface StartedProgram extends AvailableProgram {
  readonly pid: number
  /** SIGKILL to the server and its children, as a power cut would. */
  kill(): Promise<void>
  /** Back on the same port with the same data, whether it was killed or still runs. */
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
