// In charge of the answers to the examples: what the service, on the sample catalogue, really said. They are
// written by `npm run docs`; a test calls every example and compares.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Example, Operation } from '../operations/operation.ts'

export interface ExampleAnswer {
  readonly status: number
  /** Those that are worth showing; most have none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Undefined where there is none. */
  readonly body?: unknown
}

export const examplesFile: string = path.join(import.meta.dirname, 'examples.json')

/** When the sample was loaded, in the answers and so in the tests. */
export const examplesTakenAt = '2026-03-01T12:00:00.000Z'

/** Under which the answer of an example is kept. */
export function exampleKey({ id }: Pick<Operation, 'id'>, { name }: Pick<Example, 'name'>): string {
  return `${id} ${name}`
}

/** By operation and name of the example. */
export type ExampleAnswers = Readonly<Record<string, ExampleAnswer>>

export function readExampleAnswers(): ExampleAnswers {
  return JSON.parse(readFileSync(examplesFile, 'utf8'))
}
