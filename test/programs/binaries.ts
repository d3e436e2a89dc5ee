// Finds a program that is already installed: on PATH first, then in the directories where packages install binaries
// outside PATH, highest version first.
import { accessSync, constants, globSync, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'

export interface BinarySearch {
  /** Any of these names matches; within one directory, earlier names win. */
  names: readonly string[]
  /** Globs of directories, such as `/usr/lib/postgresql/*\/bin`. */
  directories?: readonly string[]
  path?: string
}

export function findBinary(search: BinarySearch): string | undefined {
  const onPath = (search.path ?? process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const folders = [...onPath, ...(search.directories ?? []).flatMap(highestVersionFirst)]
  for (const folder of folders) {
    const found = search.names.map((name) => join(folder, name)).find(isExecutable)
    if (found) return found
  }
  return undefined
}

function highestVersionFirst(pattern: string): string[] {
  // Numeric order, so that 15 comes before 9.
  return globSync(pattern).sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
