// In charge of how vitest runs the tests. To vitest they are one project: the kinds of test/projects.ts share their
// processes, which are warm after the first files.
import { defineConfig } from 'vitest/config'
import { patience } from './test/patience.ts'
import { testProjects } from './test/projects.ts'
import { LongestFirst } from './test/run/longest-first.ts'

/** So that what hangs ends, and nothing else: on a machine whose cores are all taken by others a test may take long. */
const testMaxMs = 600_000
/** More than there are cores: most files wait for something now and then, for a receiver, a child or the next second. */
const workersMax = 5

export default defineConfig({
  test: {
    // Processes, not threads: a test that starts servers needs signals and an exit of its own. Files share them: to load
    // the service anew for each file would take longer than most files do.
    pool: 'forks',
    isolate: false,
    maxWorkers: workersMax,
    // Node runs the sources as they are, as it does for users.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    testTimeout: testMaxMs,
    hookTimeout: testMaxMs,
    expect: { poll: patience },
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    include: testProjects.flatMap(({ folders }) => folders.map((folder) => `${folder}/**/*.test.ts`)),
    globalSetup: ['./test/global-setup.ts'],
  },
})
