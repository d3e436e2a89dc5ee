// Creates the data directory, accessible to its owner only, and checks that it can be used.
import { constants } from 'node:fs'
import { access, mkdir } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../errors.ts'

/** Creates the directory if it is missing; throws a Failure that names the setting if it cannot be used. */
export async function prepareDataDir(dataDir: string): Promise<void> {
  try {
    await makeDirectory(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new Failure(
      `Cannot write to the data directory ${dataDir} (${code}): set DATA_DIR to a directory that can be written.`,
    )
  }
}

/** One level at a time: Node's recursive mkdir never returns if a parent accepts no directories (/proc). */
async function makeDirectory(directory: string, isRetry = false): Promise<void> {
  try {
    await mkdir(directory, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') return
    if (code !== 'ENOENT' || isRetry || directory === path.dirname(directory)) throw error
    await makeDirectory(path.dirname(directory))
    await makeDirectory(directory, true)
  }
}
