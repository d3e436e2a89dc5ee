// In charge of `npm test`: the static checks side by side, then every test, then a summary that names what was skipped and
// why, the slowest files and the time. With arguments, only vitest with those arguments; with --record, the times of this
// run are kept as those of the release.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs'
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
/** Bytes: ten times what a run has been seen to take. */
const roomMin = 2 * 1024 ** 3

process.exitCode = await main(process.argv.slice(2))

async function main(args: readonly string[]): Promise<number> {
  const startedMs = performance.now()
  const otherLoad = watchOtherLoad()
  const isRecorded = args.includes('--record')
  const vitestArgs = args.filter((arg) => arg !== '--record')
  const isWhole = vitestArgs.length === 0
  // Everything that the tests write, their databases too, so that nothing is left behind.
  const directory = mkdtempSync(join(quickDirectory(), 'watchdata-run-'))
  // PostgreSQL runs as somebody else, where we are root.
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
    // Stripped and compiled code is kept between runs, as bin/watchdata has it. All of it is too much to be written to a
    // disk at the end of a run.
    NODE_COMPILE_CACHE: join(isWhole ? directory : root, 'node_modules/.cache/watchdata'),
  })
  sayResult('tests', result)
  return result.code
}

/** In memory where there is room: databases that nobody keeps need no disk. */
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
