// Builds the summary at the end of `npm test`: what passed, failed and was skipped, per project and engine, and which
// external programs were used or missing. Reads reports; runs nothing.
import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { type Program, programTitles } from '../programs/program.ts'
import { testProjects } from '../projects.ts'

export interface CheckResult {
  name: string
  passed: boolean
}

interface TestResult {
  project: string
  /** The first tag in its suites' names: sqlite, postgres, redis, chromium, or `-`. */
  engine: string
  outcome: Outcome
}

interface Run {
  checks: readonly CheckResult[]
  tests: readonly TestResult[]
  programs: readonly Program[]
}

type Outcome = 'passed' | 'failed' | 'skipped'
type Counts = Record<Outcome, number>

/** The part of vitest's JSON report that is read here. */
interface VitestReport {
  testResults: { name: string; status: string; assertionResults: VitestTest[] }[]
}

interface VitestTest {
  ancestorTitles: string[]
  status: string
}

const tag = /\[(sqlite|postgres|redis|chromium)\]/

export function readRun(
  paths: { tests: string; programs: string },
  checks: readonly CheckResult[],
  vitestCode: number,
  root: string,
): Run {
  const tests = existsSync(paths.tests) ? readTests(JSON.parse(readFileSync(paths.tests, 'utf8')), root) : []
  // Vitest also fails for an error outside any test, or before it could write a report.
  const failedUnseen = vitestCode !== 0 && !tests.some((test) => test.outcome === 'failed')
  const run: TestResult = { project: 'vitest', engine: '-', outcome: 'failed' }
  return { checks, tests: failedUnseen ? [...tests, run] : tests, programs: readPrograms(paths.programs) }
}

export function readTests(report: VitestReport, root: string): TestResult[] {
  return report.testResults.flatMap((file) => {
    const project = projectOf(relative(root, file.name))
    const tests = file.assertionResults.map((test) => ({
      project,
      engine: tag.exec(test.ancestorTitles.join(' '))?.[1] ?? '-',
      outcome: outcomeOf(test.status),
    }))
    // A file that fails to load, or a failing hook, is not reported as a failed test.
    const failedUnseen = file.status === 'failed' && !tests.some((test) => test.outcome === 'failed')
    return failedUnseen ? [...tests, { project, engine: '-', outcome: 'failed' as const }] : tests
  })
}

/** `strict` is for CI: there a skipped test or a missing program is a failure. */
export function summarise(run: Run, strict: boolean): { lines: string[]; failed: boolean } {
  const checks = run.checks.map(({ passed }) => (passed ? 'passed' : 'failed'))
  const total = count([...checks, ...run.tests.map((test) => test.outcome)])
  const missing = run.programs.filter((program) => !program.available)
  const tooFew = strict && (total.skipped > 0 || missing.length > 0)
  const lines = [
    '',
    ...tableLines(run.tests),
    '',
    ...run.programs.map((program) => programLine(program, run.tests)),
    ...(tooFew ? ['FAILED: with CI=true no test may be skipped and no program may be missing'] : []),
    '',
    `${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`,
  ]
  return { lines, failed: total.failed > 0 || tooFew }
}

function readPrograms(path: string): Program[] {
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n')
  return lines.map((line): Program => JSON.parse(line))
}

function projectOf(path: string): string {
  const posixPath = path.split(sep).join('/')
  const isIn = (folder: string) => posixPath.startsWith(`${folder}/`)
  return testProjects.find(({ folders }) => folders.some(isIn))?.name ?? 'other'
}

function outcomeOf(status: string): Outcome {
  return status === 'passed' || status === 'failed' ? status : 'skipped'
}

function count(outcomes: readonly Outcome[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 }
  for (const outcome of outcomes) counts[outcome]++
  return counts
}

function tableLines(tests: readonly TestResult[]): string[] {
  const rows = Map.groupBy(tests, (test) => row(test.project, test.engine))
  const body = [...rows].sort(byProject).map(([label, group]) => {
    const counts = count(group.map((test) => test.outcome))
    return `${label}${cell(counts.passed)}${cell(counts.failed)}${cell(counts.skipped)}`
  })
  return [`${row('project', 'engine')}${cell('passed')}${cell('failed')}${cell('skipped')}`, ...body]
}

function row(project: string, engine: string): string {
  return `${project.padEnd(13)}${engine.padEnd(10)}`
}

function cell(value: number | string): string {
  return String(value).padStart(9)
}

function byProject([a]: [string, unknown], [b]: [string, unknown]): number {
  return rank(a) - rank(b) || a.localeCompare(b)
}

function rank(label: string): number {
  const index = testProjects.findIndex((project) => label.startsWith(`${project.name} `))
  return index === -1 ? testProjects.length : index
}

function programLine(program: Program, tests: readonly TestResult[]): string {
  const title = programTitles[program.name]
  if (program.available) return `${title}: ${program.origin}`
  const skipped = tests.filter((test) => test.outcome === 'skipped' && test.engine === program.name)
  const projects = new Set(skipped.map((test) => test.project))
  if (projects.size === 0) return `${title}: missing, and no test asked for it (${program.reason})`
  return `SKIPPED: ${[...projects].join(', ')} tests — ${title}: ${program.reason}`
}
