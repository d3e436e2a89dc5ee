// In charge of starting the outside programs once for all test processes, and of ending them afterwards.
// Runs for each project that needs some; a program another project already asked for is not started again.
import { appendFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { findChromium } from './programs/chromium.ts'
import { findPostgres } from './programs/postgres.ts'
import type { Program, ProgramName } from './programs/program.ts'
import { findRedis } from './programs/redis.ts'
import { testProjects } from './projects.ts'

declare module 'vitest' {
  // Where each program is; null when it could not be had, undefined when this project does not ask for it.
  interface ProvidedContext {
    postgres?: string | null
    redis?: string | null
    chromium?: string | null
  }
}

const finders: Record<ProgramName, () => Promise<Program>> = {
  postgres: findPostgres,
  redis: findRedis,
  chromium: findChromium,
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const known = project.getProvidedContext()
  const needs = testProjects.find(({ name }) => name === project.name)?.needs ?? []
  const wanted = needs.filter((name) => known[name] === undefined)
  const programs = await Promise.all(wanted.map((name) => finders[name]()))
  for (const program of programs) {
    // Provided for all projects, not only for this one, so that the next one finds it.
    project.vitest.provide(program.name, program.available ? program.address : null)
    await report(program)
  }
  return async () => {
    await Promise.all(programs.map((program) => program.available && program.stop()))
  }
}

/** For the summary of test/run.ts, which runs in another process. */
async function report(program: Program): Promise<void> {
  const path = process.env.TEST_PROGRAMS_REPORT
  if (path) await appendFile(path, `${JSON.stringify(program)}\n`)
}
