// Orders the test files: those that took longest at the last release start first, so that no process is left running a
// long one alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readReleased } from './release-times.ts'
import { root } from './run-tool.ts'

export class LongestFirst extends BaseSequencer {
  readonly #seconds = new Map(readReleased().map(({ file, seconds }) => [file, seconds]))

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => this.#secondsOf(b) - this.#secondsOf(a))
  }

  #secondsOf({ moduleId }: TestSpecification): number {
    return this.#seconds.get(relative(root, moduleId)) ?? 0
  }
}
