import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTests, summarise } from '../run/summary.ts'

const root = '/house'

it('counts a test under its project and the engine of its suite’s tag', () => {
  const tests = readTests(
    { testResults: [file('test/api/watches.test.ts', [test('watches [postgres]', 'passed')])] },
    root,
  )
  expect(tests).toEqual([{ project: 'api', engine: 'postgres', outcome: 'passed' }])
})

it('counts a file that fails without a failing test as one failure', () => {
  const tests = readTests({ testResults: [file('src/clock.test.ts', [], 'failed')] }, root)
  expect(tests).toEqual([{ project: 'unit', engine: '-', outcome: 'failed' }])
})

it('counts the static checks as tests in the last line', () => {
  const checks = [
    { name: 'types', passed: true },
    { name: 'dead code', passed: false },
  ]
  const { lines, failed } = summarise({ checks, tests: [], programs: [] }, false)
  expect(lines.at(-1)).toBe('1 passed, 1 failed, 0 skipped')
  expect(failed).toBe(true)
})

it('names what was skipped and why, and passes with skipped tests only outside CI', () => {
  const run = {
    checks: [],
    tests: [{ project: 'browser', engine: 'chromium', outcome: 'skipped' as const }],
    programs: [{ name: 'chromium' as const, available: false as const, reason: 'no apt-get' }],
  }
  expect(summarise(run, false).lines).toContain('SKIPPED: browser tests — Chromium: no apt-get')
  expect(summarise(run, false).failed).toBe(false)
  expect(summarise(run, true).failed).toBe(true)
})

function file(path: string, assertionResults: ReturnType<typeof test>[], status = 'passed') {
  return { name: join(root, path), status, assertionResults }
}

function test(suite: string, status: string) {
  return { ancestorTitles: ['', suite], status }
}
