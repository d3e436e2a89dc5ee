// Parses the flags of a drill: whole numbers with defaults, and the engine to run on.
import { parseArgs } from 'node:util'
import type { Engine } from '../../src/storage/database.ts'

export class BadFlags extends Error {}

export interface Flags<Name extends string> {
  readonly numbers: Readonly<Record<Name, number>>
  readonly engines: readonly Engine[]
}

const engines: readonly Engine[] = ['sqlite', 'postgres']
const numberMax = 1_000_000

export function parseFlags<Name extends string>(
  flags: string[],
  defaults: Readonly<Record<Name, number>>,
): Flags<Name> {
  const names = Object.keys(defaults) as Name[]
  const values = parseValues(flags, names)
  const numbers = names.map((name) => [name, parseNumber(name, values[name] ?? String(defaults[name]))])
  const wanted = values.engine === undefined ? engines : engines.filter((engine) => engine === values.engine)
  if (wanted.length === 0) throw new BadFlags(`--engine must be one of ${engines.join(', ')}`)
  return { numbers: Object.fromEntries(numbers), engines: wanted }
}

function parseValues(flags: string[], names: string[]): Partial<Record<string, string>> {
  const options = Object.fromEntries(['engine', ...names].map((name) => [name, { type: 'string' as const }]))
  try {
    return parseArgs({ args: flags, options }).values
  } catch (error) {
    throw new BadFlags((error as Error).message)
  }
}

function parseNumber(name: string, written: string): number {
  const value = /^\d+$/.test(written) ? Number(written) : 0
  if (value < 1 || value > numberMax) {
    throw new BadFlags(`--${name} must be a whole number from 1 to ${numberMax}`)
  }
  return value
}
