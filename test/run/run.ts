// Runs `npm test`: the static checks in parallel, then every test, then a summary of skipped tests with reasons, the
// slowest files and the total time. With arguments it runs only vitest with those arguments; with --record it stores
// the times of this run as those of the release.
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { budgetLines, isBusy, slowestLines } from './budget.ts'
import { runChecks, staticChecks } from './checks.ts'
import type { FileTime } from './file-times.ts'
import { watchOtherLoad } from './other-load.ts'
import { readReleased, writeReleased } from './release-times.ts'
import { root, runTool, say, sayResult, stopped } from './run-tool.ts'
import { readRun, summarise } from './summary.ts'

const vitestMaxMs = 2_400_000
/** Stripped and compiled code, kept between runs as bin/watchdata does: to compile it again takes 10 s of CPU time. */
const keptCode = join(root, 'node_modules/.cache/watchdata')
/** Bytes: ten times the observed use of a run. */
const roomMin = 2 * 1024 ** 3

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const startedMs = performance.now()
  const otherLoad = watchOtherLoad()
  const isRecorded = args.includes('--record')
  const vitestArgs = args.filter((arg) => arg !== '--record')
  const isWhole = vitestArgs.length === 0
  // Holds everything the tests write, including databases, so that nothing is left behind.
  const directory = mkdtempSync(join(quickDirectory(), 'watchdata-run-'))
  // If this process is root, PostgreSQL runs as another user.
  chmodSync(directory, 0o711)
  const paths = reportsIn(directory)
  try {
    const checks = isWhole ? await runChecks(staticChecks) : []
    const vitestCode = stopped.aborted ? 1 : await runVitest(vitestArgs, directory, isWhole)
    if (stopped.aborted) return 1
    const { lines, failed } = summarise(readRun(paths, checks, vitestCode, root), process.env.CI === 'true')
    const files = readTimes(paths.times)
    const seconds = (performance.now() - startedMs) / 1_000
    const released = readReleased()
    const load = otherLoad()
    if (isWhole)
      say('', ...slowestLines(files), '', ...budgetLines({ seconds, otherLoad: load, files, released }))
    else say('', `time: ${seconds.toFixed(1)} s`)
    if (isRecorded) {
      if (isWhole && !failed && !isBusy(load)) writeReleased(files)
      else say('Not recorded: only a whole run that passes on an otherwise idle machine is.')
    }
    say(...lines)
    return failed ? 1 : 0
  } finally {
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
}

async function runVitest(args: readonly string[], directory: string, isWhole: boolean): Promise<number> {
  const paths = reportsIn(directory)
  // The first run of a clone collects the code in memory and copies it to disk at once: four processes that write
  // thousands of small files there take ten times as long.
  const code = isWhole && !existsSync(keptCode) ? join(directory, 'code') : keptCode
  const reporters = [
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${paths.tests}`,
    `--reporter=${join(import.meta.dirname, 'file-times.ts')}`,
  ]
  const result = await runTool(['vitest/vitest.mjs', 'run', ...reporters, ...args], vitestMaxMs, {
    TMPDIR: directory,
    TEST_PROGRAMS_REPORT: paths.programs,
    TEST_TIMES_REPORT: paths.times,
    TEST_FILTERS: JSON.stringify(args.filter((arg) => !arg.startsWith('-'))),
    NODE_COMPILE_CACHE: code,
  })
  sayResult('tests', result)
  if (code !== keptCode && existsSync(code)) cpSync(code, keptCode, { recursive: true })
  return result.code
}

/** Returns a directory in memory if there is room: throw-away databases need no disk. */
function quickDirectory(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= roomMin ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

function reportsIn(directory: string) {
  return {
    tests: join(directory, 'tests.json'),
    programs: join(directory, 'programs.jsonl'),
    times: join(directory, 'times.jsonl'),
  }
}

function readTimes(path: string): FileTime[] {
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line): FileTime => JSON.parse(line))
}
