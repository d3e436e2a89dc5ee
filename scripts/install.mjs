// In charge of one thing: that node_modules matches package-lock.json before `npm start` and `npm test` run.
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

// An installation without the tools of development is enough to run, and is left as it is.
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

// By contents, not by time: a checkout touches the lock without changing it, and installing anew is slow at
// best and, without a network, the end of a working installation.
function isInstalled() {
  const installed = packagesOf(join(root, 'node_modules', '.package-lock.json'))
  return Object.entries(packagesOf(join(root, 'package-lock.json'))).every(([path, wanted]) => {
    const found = installed[path]
    // A package for another platform is not installed, and need not be.
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
    // npm's own words go to stderr: stdout belongs to the command that was asked for.
    stdio: ['ignore', 2, 2],
  })
  if (run.error) return `${command} did not start (${run.error.message})`
  if (run.signal) return `npm ci was stopped by ${run.signal}`
  return run.status === 0 ? undefined : `npm ci ended with code ${run.status}`
}

// `npm ci` deletes node_modules, and with it the Node in node_modules/.bin, so npm must run on another one.
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
