// Orders the test files: new ones start first, then those that took longest at the last release, so that no process is
// left running a long one alone at the end.
import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { readReleased } from './release-times.ts'
import { root } from './run-tool.ts'

/** More than any file takes. */
const secondsOfNew = 3_600

export class LongestFirst extends BaseSequencer {
  readonly #seconds = new Map(readReleased().map(({ file, seconds }) => [file, seconds]))

  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const bySize = await super.sort(files)
    return bySize.toSorted((a, b) => this.#secondsOf(b) - this.#secondsOf(a))
  }

  #secondsOf({ moduleId }: TestSpecification): number {
    return this.#seconds.get(relative(root, moduleId)) ?? secondsOfNew
  }
}
