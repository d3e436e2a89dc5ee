// Runs `npm run check`: the checks that take seconds, for use while editing. The project's rules are tests, so they
// run as tests; they need no server.
import { runChecks, staticChecks } from './checks.ts'
import { say } from './run-tool.ts'

const startedMs = performance.now()
const houseRules = {
  name: 'project rules',
  args: ['vitest/vitest.mjs', 'run', 'test/house/tidy.test.ts'],
}
const results = await runChecks([...staticChecks, houseRules])
const failed = results.filter(({ passed }) => !passed).length
say(
  '',
  `${results.length - failed} passed, ${failed} failed (${((performance.now() - startedMs) / 1_000).toFixed(1)} s)`,
)
process.exitCode = failed === 0 ? 0 : 1
