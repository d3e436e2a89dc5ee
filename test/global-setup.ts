// In charge of starting the outside programs once for all test processes, and of ending them afterwards.
// Runs for each project that needs some; a program another project already asked for is not started again.
import { appendFile } from 'node:fs/promises'
import type { TestProject } from 'vitest/node'
import { testProjects } from './projects.ts'
import { findChromium } from './services/chromium.ts'
import { findPostgres } from './services/postgres.ts'
import { findRedis } from './services/redis.ts'
import type { Service, ServiceName } from './services/service.ts'

declare module 'vitest' {
  // Where each program is; null when it could not be had, undefined when this project does not ask for it.
  interface ProvidedContext {
    postgres?: string | null
    redis?: string | null
    chromium?: string | null
  }
}

const finders: Record<ServiceName, () => Promise<Service>> = {
  postgres: findPostgres,
  redis: findRedis,
  chromium: findChromium,
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const known = project.getProvidedContext()
  const needs = testProjects.find(({ name }) => name === project.name)?.needs ?? []
  const wanted = needs.filter((name) => known[name] === undefined)
  const services = await Promise.all(wanted.map((name) => finders[name]()))
  for (const service of services) {
    // Provided for all projects, not only for this one, so that the next one finds it.
    project.vitest.provide(service.name, service.available ? service.address : null)
    await report(service)
  }
  return async () => {
    await Promise.all(services.map((service) => service.available && service.stop()))
  }
}

/** For the summary of test/run.ts, which runs in another process. */
async function report(service: Service): Promise<void> {
  const path = process.env.TEST_SERVICES_REPORT
  if (path) await appendFile(path, `${JSON.stringify(service)}\n`)
}
