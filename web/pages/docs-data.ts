// In charge of the shape of what the docs page is told. The server fills it in from the tables that it runs by; the
// page adds words, and no facts.

import type { Instance } from './instance.ts'

export interface DocsData extends Pick<Instance, 'baseUrl' | 'watches' | 'example' | 'plans'> {
  problems: readonly DocsProblem[]
  settings: readonly DocsSetting[]
  reference: Reference
}

interface DocsProblem {
  status: number
  message: string
  when: string
}

interface DocsSetting {
  env: string
  type: string
  default: string
  help: string
}

/** What there is to ask, and what is answered. */
export interface Reference {
  operators: readonly { written: string; meaning: string; example: string }[]
  /** Of every list of watches. */
  parameters: readonly DocsParameter[]
  limits: { filters: number; keyLength: number; valueLength: number }
  quantities: readonly DocsQuantity[]
  /** Values of a key that mean the same. */
  sameQuantities: readonly SameValues[]
  synonyms: readonly SameValues[]
  schemas: readonly DocsSchema[]
  endpoints: readonly DocsEndpoint[]
  /** Without those of the quota. */
  answerHeaders: readonly DocsHeader[]
  requestHeaders: readonly DocsHeader[]
  quotaHeaders: readonly DocsHeader[]
  /** How requests are counted, one sentence or two each. */
  quotaRules: readonly string[]
}

export interface DocsParameter {
  name: string
  type: string
  default?: string | undefined
  max?: number | undefined
  choices?: readonly string[] | undefined
  meaning: string
  example: string
}

/** Units that can be converted to each other, and the keys that are measured in them. */
interface DocsQuantity {
  units: readonly string[]
  keys: readonly { unit: string; names: readonly string[] }[]
}

export interface SameValues {
  key: string
  values: readonly string[]
}

export interface DocsSchema {
  name: string
  fields: readonly { name: string; type: string; meaning: string }[]
}

export interface DocsHeader {
  name: string
  meaning: string
}

export interface DocsEndpoint {
  /** What its heading is linked by. */
  anchor: string
  method: string
  path: string
  summary: string
  description: string
  takesListParameters: boolean
  parameters: readonly DocsParameter[]
  statuses: readonly number[]
  /** The schema of what is sent; empty where nothing is. */
  body: string
  /** The schema of what is within `data`. */
  schema: string
  examples: readonly DocsExample[]
}

export interface DocsExample {
  name: string
  summary: string
  method: string
  /** Below /api/v1. */
  request: string
  /** The body that is sent, if any. */
  sent: object | undefined
  status: number
  headers: readonly { name: string; value: string }[]
  body: unknown
}
