// In charge of `npm test`: the static checks side by side, then every test, then a summary that names what
// was skipped and why. With arguments, only vitest with those arguments.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type CheckResult, readRun, summarise } from './summary.ts'

const checkMaxMs = 120_000
const vitestMaxMs = 2_400_000

interface ToolResult {
  code: number
  output: string
  seconds: string
}

const staticChecks = [
  { name: 'types', args: ['typescript/bin/tsc', '--noEmit'] },
  { name: 'types in the browser', args: ['typescript/bin/tsc', '--noEmit', '--project', 'web'] },
  { name: 'lint and format', args: ['@biomejs/biome/bin/biome', 'ci', '--colors=off', '.'] },
  { name: 'dead code', args: ['knip/bin/knip.js', '--no-progress'] },
]

const root = fileURLToPath(new URL('..', import.meta.url))

// Who ends this process means the whole run: the tools end with it, vitest with its servers.
const stop = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stop.abort())

process.exitCode = await main(process.argv.slice(2))

async function main(args: string[]): Promise<number> {
  const reports = mkdtempSync(join(tmpdir(), 'watchdata-run-'))
  const paths = { tests: join(reports, 'tests.json'), programs: join(reports, 'programs.jsonl') }
  try {
    const checks = args.length === 0 ? await runChecks() : []
    const vitestCode = stop.signal.aborted ? 1 : await runVitest(args, paths)
    if (stop.signal.aborted) return 1
    const { lines, failed } = summarise(readRun(paths, checks, vitestCode, root), process.env.CI === 'true')
    say(...lines)
    return failed ? 1 : 0
  } finally {
    rmSync(reports, { recursive: true, force: true })
  }
}

async function runChecks(): Promise<CheckResult[]> {
  const runs = staticChecks.map(({ name, args }) => ({ name, run: runTool(args, checkMaxMs) }))
  const results: CheckResult[] = []
  for (const { name, run } of runs) {
    const { code, output, seconds } = await run
    say(`${mark(code)} ${name} (${seconds} s)`)
    if (code !== 0) say(output.trimEnd())
    results.push({ name, passed: code === 0 })
  }
  return results
}

async function runVitest(args: string[], paths: { tests: string; programs: string }): Promise<number> {
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${paths.tests}`]
  const live = { TEST_PROGRAMS_REPORT: paths.programs }
  const { code, seconds } = await runTool(
    ['vitest/vitest.mjs', 'run', ...reporters, ...args],
    vitestMaxMs,
    live,
  )
  say(`${mark(code)} tests (${seconds} s)`)
  return code
}

/** Shows the output live when given an environment for that, else keeps it for the caller. */
function runTool(
  [script = '', ...args]: string[],
  maxMs: number,
  live?: NodeJS.ProcessEnv,
): Promise<ToolResult> {
  const startedMs = performance.now()
  const child = spawn(process.execPath, [join(root, 'node_modules', script), ...args], {
    cwd: root,
    env: { ...process.env, ...live },
    stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    timeout: maxMs,
    signal: stop.signal,
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return new Promise((resolve) => {
    // A child that never started has no `close`; one that was aborted has it still to come.
    child.on('error', (error) => child.pid === undefined && end(1, error.message))
    child.once('close', (code, signal) => end(code ?? 1, signal ? `stopped by ${signal}` : ''))

    function end(code: number, why: string): void {
      const seconds = ((performance.now() - startedMs) / 1000).toFixed(1)
      resolve({ code, output: output + why, seconds })
    }
  })
}

function mark(code: number): string {
  return code === 0 ? '✓' : '✗'
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`)
}
