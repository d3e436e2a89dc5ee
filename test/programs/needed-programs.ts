// Reads from the sources of the given test files which external programs they need, so that running one file starts
// only those programs.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ProgramName } from './program.ts'

/** The calls of test/databases/engines.ts that hand a program to a suite. */
const calls: Record<ProgramName, RegExp> = {
  postgres: /\bdescribe(EachEngine|WithPostgres)\(/,
  redis: /\bdescribeWithRedis\(/,
  chromium: /\bdescribeWithChromium\(/,
}
const enginesFile = path.resolve(import.meta.dirname, '../databases/engines.ts')
const folder = `${path.resolve(import.meta.dirname, '..')}${path.sep}`

export function neededPrograms(testFiles: readonly string[]): ProgramName[] {
  const sources = [...withImports(testFiles)].map((file) => readFileSync(file, 'utf8'))
  const names = Object.keys(calls) as ProgramName[]
  return names.filter((name) => sources.some((source) => calls[name].test(source)))
}

/** The files and everything in test/ that they import, except engines.ts, which names every program. */
function withImports(testFiles: readonly string[]): Set<string> {
  const found = new Set(testFiles)
  for (const file of found) {
    for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/\bfrom '(\.[^']+)'/g)) {
      const imported = path.resolve(path.dirname(file), target)
      if (imported.startsWith(folder) && imported !== enginesFile) found.add(imported)
    }
  }
  return found
}
