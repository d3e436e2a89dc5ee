// Reads the stored responses of the examples, as the service sent them for the sample catalogue. `npm run docs`
// records them; a test sends every example and compares.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Example, Operation } from '../operations/operation.ts'

export interface ExampleAnswer {
  readonly status: number
  /** The headers worth showing; most examples have none. */
  readonly headers?: Readonly<Record<string, string>>
  /** Undefined for a response without a body. */
  readonly body?: unknown
}

export const examplesFile: string = path.join(import.meta.dirname, 'examples.json')

/** When the sample was loaded, in the stored responses and so in the tests. */
export const examplesTakenAt = '2026-03-01T12:00:00.000Z'

/** The key of an example's stored response. */
export function exampleKey({ id }: Pick<Operation, 'id'>, { name }: Pick<Example, 'name'>): string {
  return `${id} ${name}`
}

/** By operation id and example name. */
export type ExampleAnswers = Readonly<Record<string, ExampleAnswer>>

export function readExampleAnswers(): ExampleAnswers {
  return JSON.parse(readFileSync(examplesFile, 'utf8'))
}
