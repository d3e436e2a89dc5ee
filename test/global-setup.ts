// Starts the external programs (PostgreSQL, Redis, Chromium) once for all test processes and stops them afterwards.
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'
import { templatesPrefix } from './databases/templates-prefix.ts'
import { findChromium } from './programs/chromium.ts'
import { neededPrograms } from './programs/needed-programs.ts'
import { findPostgres } from './programs/postgres.ts'
import type { Program, ProgramName } from './programs/program.ts'
import { findRedis } from './programs/redis.ts'

declare module 'vitest' {
  // The address of each program: null if it is not available, undefined if no test file needs it.
  interface ProvidedContext {
    postgres?: string | null
    redis?: string | null
    chromium?: string | null
    /** The directory of this run's template databases. */
    templates: string
  }
}

const finders: Record<ProgramName, () => Promise<Program>> = {
  postgres: findPostgres,
  redis: findRedis,
  chromium: findChromium,
}

/** The paths given to `npm test -- PATH`. Vitest does not expose them. */
const filters: string[] = JSON.parse(process.env.TEST_FILTERS ?? '[]')

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { testFiles } = await project.globTestFiles(filters)
  const programs = await Promise.all(neededPrograms(testFiles).map((name) => finders[name]()))
  for (const program of programs) {
    project.provide(program.name, program.available ? program.address : null)
    await report(program)
  }
  const templates = await mkdtemp(join(tmpdir(), 'watchdata-templates-'))
  project.provide('templates', templates)
  return async () => {
    await removeTemplates(templates, programs)
    await Promise.all(programs.map((program) => program.available && program.stop()))
  }
}

/** Also drops the template databases on a PostgreSQL server that outlives the run. */
async function removeTemplates(templates: string, programs: readonly Program[]): Promise<void> {
  await rm(templates, { recursive: true, force: true })
  const postgres = programs.find(({ name }) => name === 'postgres')
  if (!postgres?.available) return
  const client = new Client({ connectionString: postgres.address })
  await client.connect()
  const { rows } = await client.query('SELECT datname FROM pg_database WHERE starts_with(datname, $1)', [
    templatesPrefix(templates),
  ])
  for (const { datname } of rows) await client.query(`DROP DATABASE ${datname} WITH (FORCE)`)
  await client.end()
}

/** For the summary of test/run/run.ts, which runs in another process. */
async function report(program: Program): Promise<void> {
  const path = process.env.TEST_PROGRAMS_REPORT
  if (path) await appendFile(path, `${JSON.stringify(program)}\n`)
}
