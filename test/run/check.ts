// In charge of `npm run check`: what can be known within seconds, while one works. The rules of the house are tests, so
// they run as such; they need no server.
import { runChecks, staticChecks } from './checks.ts'
import { say } from './run-tool.ts'

const startedMs = performance.now()
const houseRules = {
  name: 'rules of the house',
  args: ['vitest/vitest.mjs', 'run', 'test/house/tidy.test.ts'],
}
const results = await runChecks([...staticChecks, houseRules])
const failed = results.filter(({ passed }) => !passed).length
say(
  '',
  `${results.length - failed} passed, ${failed} failed (${((performance.now() - startedMs) / 1_000).toFixed(1)} s)`,
)
process.exitCode = failed === 0 ? 0 : 1
