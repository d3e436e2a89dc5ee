// Reads and writes release-times.json: how long each test file took at the last release.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FileTime } from './file-times.ts'

const path = join(import.meta.dirname, 'release-times.json')

export function readReleased(): FileTime[] {
  return JSON.parse(readFileSync(path, 'utf8'))
}

export function writeReleased(files: readonly FileTime[]): void {
  const rounded = files.map(({ file, seconds }) => ({ file, seconds: Math.round(seconds * 10) / 10 }))
  const lines = rounded
    .toSorted((a, b) => (a.file < b.file ? -1 : 1))
    .map(({ file, seconds }) => `  { "file": ${JSON.stringify(file)}, "seconds": ${seconds} }`)
  writeFileSync(path, `[\n${lines.join(',\n')}\n]\n`)
}
