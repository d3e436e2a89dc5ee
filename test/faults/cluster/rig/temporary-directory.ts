// Makes a temporary directory that is removed on request, or when this process ends.
import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'

export interface TemporaryDirectory {
  readonly path: string
  remove(): void
}

export async function makeDirectory(name: string): Promise<TemporaryDirectory> {
  const directory = await mkdtemp(path.join(tmpdir(), `watchdata-${name}-`))
  const remove = () => {
    process.off('exit', remove)
    rmSync(directory, { recursive: true, force: true, maxRetries: 3 })
  }
  process.on('exit', remove)
  return { path: directory, remove }
}
