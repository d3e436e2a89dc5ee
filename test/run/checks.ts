// Runs the static checks (types, lint and format, dead code) in parallel and reports them in order.
import { runTool, say, sayResult } from './run-tool.ts'
import type { CheckResult } from './summary.ts'

export interface Check {
  readonly name: string
  readonly args: readonly string[]
}

const checkMaxMs = 240_000
// The compiler is a Go program: a higher GOGC makes it collect garbage less often.
process.env.GOGC ??= '400'

/** The compiler caches what it knows of unchanged files. */
const typesOf = (project: string) => [
  'typescript/bin/tsc',
  '--noEmit',
  '--checkers',
  '2',
  '--incremental',
  '--tsBuildInfoFile',
  `node_modules/.cache/types-${project}.tsbuildinfo`,
]

export const staticChecks: readonly Check[] = [
  { name: 'types', args: typesOf('service') },
  { name: 'types in the browser', args: [...typesOf('browser'), '--project', 'web'] },
  { name: 'lint and format', args: ['@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'] },
  { name: 'dead code', args: ['knip/bin/knip.js', '--no-progress'] },
  {
    name: 'code used only by tests',
    args: ['knip/bin/knip.js', '--no-progress', '--production', '--config', 'knip.production.json'],
  },
]

export async function runChecks(checks: readonly Check[]): Promise<CheckResult[]> {
  const runs = checks.map(({ name, args }) => ({ name, run: runTool(args, checkMaxMs) }))
  const results: CheckResult[] = []
  for (const { name, run } of runs) {
    const result = await run
    sayResult(name, result)
    if (result.code !== 0) say(result.output.trimEnd())
    results.push({ name, passed: result.code === 0 })
  }
  return results
}
