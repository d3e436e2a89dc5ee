// In charge of how long each file of tests took, in its process: its imports, its hooks and its tests. A reporter of vitest,
// which run.ts adds; one line of JSON for each file.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import { root } from './run-tool.ts'

export interface FileTime {
  /** From the root of the project. */
  readonly file: string
  readonly seconds: number
}

const report = process.env.TEST_TIMES_REPORT

// biome-ignore lint/style/noDefaultExport: vitest takes a reporter so
export default class FileTimes implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const { duration, collectDuration, setupDuration } = module.diagnostic()
    const seconds = (duration + collectDuration + setupDuration) / 1_000
    const line: FileTime = { file: relative(root, module.moduleId), seconds }
    if (report) appendFileSync(report, `${JSON.stringify(line)}\n`)
  }
}
