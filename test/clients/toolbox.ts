// Installs the packages of a folder that has a lock file of its own, when a test first needs them: the project's own
// installation stays small. A folder whose packages cannot be downloaded is a value, not an error. Also runs npm.
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { waitForLock } from './wait-for-lock.ts'

export type Toolbox =
  | { readonly available: true; readonly modules: string }
  | { readonly available: false; readonly reason: string }

interface LockedPackage {
  readonly version?: string
  readonly optional?: boolean
}

const installMaxMs = 240_000
const installArgs = [
  'ci',
  '--include=optional',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]
/** npm's own retries take more than a minute where there is no network. */
const retryArgs = ['--fetch-retries=2', '--fetch-retry-mintimeout=1000', '--fetch-retry-maxtimeout=2000']
const run = promisify(execFile)

/** Several test processes may ask at once: one of them installs. */
export async function openToolbox(folder: string): Promise<Toolbox> {
  const modules = path.join(folder, 'node_modules')
  if (isInstalled(folder)) return { available: true, modules }
  const lock = await takeLock(folder)
  try {
    if (isInstalled(folder)) return { available: true, modules }
    process.stderr.write(`Installing ${path.basename(folder)} for the tests (npm ci) …\n`)
    const reason = await install(folder)
    return reason === undefined ? { available: true, modules } : { available: false, reason }
  } finally {
    lock.release()
  }
}

/** Compares contents, as scripts/install.mjs does. npm leaves out optional packages of other platforms. */
function isInstalled(folder: string): boolean {
  const installed = packagesOf(path.join(folder, 'node_modules', '.package-lock.json'))
  const wanted = Object.entries(packagesOf(path.join(folder, 'package-lock.json')))
  return wanted.every(([name, { version, optional }]) => {
    if (name === '') return existsSync(path.join(folder, 'node_modules'))
    const found = installed[name]
    return found === undefined ? optional === true : found.version === version
  })
}

function packagesOf(lock: string): Record<string, LockedPackage> {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {}
}

function takeLock(folder: string) {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  return waitForLock(path.join(tmpdir(), `watchdata-install-${name}.lock`), installMaxMs)
}

/** Returns the reason for the failure, or undefined. Install scripts are not needed, and so not run. */
async function install(folder: string): Promise<string | undefined> {
  try {
    await runNpm([...installArgs, ...retryArgs], folder)
    return undefined
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string }
    const prefix = 'npm error '
    const said = stderr.split('\n').filter((line) => line.startsWith(prefix))
    const [first = message.split('\n')[0], second] = said.map((line) => line.slice(prefix.length))
    return `npm ci failed (${[first, second].filter((line) => line !== undefined).join(', ')})`
  }
}

/** Runs the npm that runs the tests. Returns what it prints, and throws if it fails. */
export async function runNpm(args: readonly string[], folder: string): Promise<string> {
  const npm = process.env.npm_execpath
  const isScript = npm?.endsWith('.js') === true
  const [command, first] = isScript ? [process.execPath, [npm as string]] : ['npm', []]
  const { stdout } = await run(command, [...first, ...args], {
    cwd: folder,
    timeout: installMaxMs,
    shell: !isScript && process.platform === 'win32',
  })
  return stdout
}
