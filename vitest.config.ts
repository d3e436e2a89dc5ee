// In charge of how vitest runs the tests: one project per kind of test, from the table in test/projects.ts.
import { defineConfig } from 'vitest/config'
import { testProjects } from './test/projects.ts'

const testMaxMs = 30_000
const hookMaxMs = 60_000
const workersMax = 2

export default defineConfig({
  test: {
    // Processes, not threads: a test that starts servers needs signals and an exit of its own.
    pool: 'forks',
    maxWorkers: workersMax,
    testTimeout: testMaxMs,
    hookTimeout: hookMaxMs,
    passWithNoTests: true,
    projects: testProjects.map(({ name, folders, needs }) => ({
      test: {
        name,
        include: folders.map((folder) => `${folder}/**/*.test.ts`),
        globalSetup: needs.length === 0 ? [] : ['./test/global-setup.ts'],
      },
    })),
  },
})
