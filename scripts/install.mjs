// Runs `npm ci` before `npm start`, `npm test` and other scripts when node_modules does not match package-lock.json.
// Plain JavaScript without dependencies, because it runs on whatever Node the machine has, before anything
// else is installed.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { basename, delimiter, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

// The Node runtime itself is an optional dependency and the tests are dev dependencies, so neither may be
// left out by NODE_ENV=production or by an `omit` in somebody's npmrc.
const installArgs = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--loglevel=error',
]

// With --for-running, an installation without dev dependencies is accepted as it is.
const isForRunning = process.argv.includes('--for-running')

const root = fileURLToPath(new URL('..', import.meta.url))

if (!isInstalled()) {
  process.stderr.write('Installing dependencies (npm ci) …\n')
  const failure = install()
  if (failure) {
    process.stderr.write(`The dependencies could not be installed: ${failure}.\n`)
    process.exitCode = 1
  }
}

// Compares contents, not modification times: a git checkout touches the lock file without changing it. A needless
// `npm ci` is slow, and without a network it deletes a working installation.
function isInstalled() {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path]
    // Optional packages may be missing: npm does not install those of other platforms.
    const mayMiss = wanted.optional || wanted.devOptional || (wanted.dev && isForRunning)
    return path === '' || (found === undefined ? mayMiss === true : found.version === wanted.version)
  })
}

/** @param {string} lock @returns {Record<string, { version?: string, optional?: boolean, devOptional?: boolean, dev?: boolean }>} */
function packagesOf(lock) {
  return existsSync(lock) ? JSON.parse(readFileSync(lock, 'utf8')).packages : {}
}

function install() {
  const { command, args, shell } = npmCommand()
  const run = spawnSync(command, args, {
    cwd: root,
    env: environmentWithoutModules(),
    shell,
    // npm's output goes to stderr: stdout belongs to the command that the user runs.
    stdio: ['ignore', 2, 2],
  })
  if (run.error) return `${command} did not start (${run.error.message})`
  if (run.signal) return `npm ci was stopped by ${run.signal}`
  return run.status === 0 ? undefined : `npm ci ended with code ${run.status}`
}

// `npm ci` deletes node_modules, and with it the Node in node_modules/.bin, so npm must run on a Node outside it.
/** @returns {{ command: string, args: string[], shell: boolean }} */
function npmCommand() {
  const npm = process.env.npm_execpath
  const node = [process.env.npm_node_execpath, process.execPath].find((path) => path && !isInModules(path))
  if (npm && basename(npm) === 'npm-cli.js' && node) {
    return { command: node, args: [npm, ...installArgs], shell: false }
  }
  if (process.platform === 'win32') return { command: 'npm.cmd', args: installArgs, shell: true }
  return { command: 'npm', args: installArgs, shell: false }
}

function environmentWithoutModules() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (process.env[name] ?? '').split(delimiter).filter((folder) => !isInModules(folder))
  return { ...process.env, [name]: folders.join(delimiter) }
}

/** @param {string} path */
function isInModules(path) {
  return path.split(sep).includes('node_modules')
}
