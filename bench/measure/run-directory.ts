// Begins a run of a benchmark that pins processes to cores: makes a temporary directory, which is removed when this
// process exits, and moves this process away from the core of the server.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { moveToLoadCore } from './processes.ts'

export function openRunDirectory(): string {
  if (process.platform !== 'linux') throw new Error('this benchmark pins processes to cores: it needs Linux')
  moveToLoadCore()
  const directory = mkdtempSync(path.join(tmpdir(), 'watchdata-bench-'))
  process.on('exit', () => rmSync(directory, { recursive: true, force: true }))
  return directory
}
