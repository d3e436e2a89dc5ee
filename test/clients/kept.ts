// Keeps what tests make of inputs that seldom change, so that other test files and later runs need not make it again.
// Delete node_modules/.cache/watchdata-tests to make everything anew.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { packageRoot } from '../../src/config.ts'
import { waitForLock } from './wait-for-lock.ts'

const cache = path.join(packageRoot, 'node_modules/.cache/watchdata-tests')
const makeMaxMs = 300_000
/** Of the runtime, and of npm, which names itself here. */
const machine = [process.version, process.platform, process.arch, process.env.npm_config_user_agent ?? '']

/** Returns a hash of texts, and of files with their names, which may be patterns below the root of the repository. */
export function hashInputs(files: readonly string[], texts: readonly string[] = []): string {
  const hash = createHash('sha256')
  const add = (text: string | Buffer) => hash.update(`${text.length}:`).update(text)
  for (const text of [...machine, ...texts]) add(text)
  const found = globSync(files, { cwd: packageRoot, withFileTypes: true, exclude: isOutput })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
  for (const file of found.toSorted()) {
    add(path.relative(packageRoot, file))
    add(readFileSync(file))
  }
  return hash.digest('hex')
}

/**
 * Fills an empty folder as `make` does. `make` runs only if the hash of its inputs is not that of the last time: all that
 * it reads has to be in the hash. A failure is not kept. One folder is kept for each name.
 */
export async function fillFolder(
  folder: string,
  name: string,
  inputs: string,
  make: () => Promise<void>,
): Promise<void> {
  await mkdir(cache, { recursive: true })
  const [kept, hashFile] = [path.join(cache, name), path.join(cache, `${name}.hash`)]
  const lock = await waitForLock(path.join(cache, `${name}.lock`), makeMaxMs)
  try {
    if (existsSync(hashFile) && (await readFile(hashFile, 'utf8')) === inputs)
      return await cp(kept, folder, { recursive: true })
    await make()
    for (const old of [hashFile, kept]) await rm(old, { recursive: true, force: true })
    await cp(folder, kept, { recursive: true })
    // Written last: a folder that was not copied to its end has no hash.
    await writeFile(hashFile, inputs)
  } finally {
    lock.release()
  }
}

function isOutput({ name, parentPath }: { name: string; parentPath: string }): boolean {
  return name === 'node_modules' || (name === 'dist' && path.basename(parentPath) === 'sdk')
}
