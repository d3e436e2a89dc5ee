// A vitest reporter, added by run.ts: writes how long each test file took in its process, with its imports, hooks and
// tests, as one line of JSON per file.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from './run-tool.ts'

export interface FileTime {
  /** The path relative to the root of the project. */
  readonly file: string
  readonly seconds: number
}

const report = process.env.TEST_TIMES_REPORT

// biome-ignore lint/style/noDefaultExport: vitest requires a reporter as default export
export default class FileTimes implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const seconds = (duration + collectDuration + setupDuration) / 1_000
    const line: FileTime = { file: relative(root, module.moduleId), seconds }
    if (report) appendFileSync(report, `${JSON.stringify(line)}\n`)
  }
}
