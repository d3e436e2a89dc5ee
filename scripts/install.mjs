// In charge of one thing: that node_modules matches package-lock.json before `npm start` and `npm test` run.
// Plain JavaScript without dependencies, because it runs on whatever Node the machine has, before anything
// else is installed.
import { spawnSync } from 'node:child_process'
import { statSync } from 'node:fs'
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

const root = fileURLToPath(new URL('..', import.meta.url))

if (!isInstalled()) {
  process.stderr.write('Installing dependencies (npm ci) …\n')
  const failure = install()
  if (failure) {
    process.stderr.write(`The dependencies could not be installed: ${failure}.\n`)
    process.exitCode = 1
  }
}

function isInstalled() {
  const installedMs = modifiedMs(join(root, 'node_modules', '.package-lock.json'))
  const lockedMs = modifiedMs(join(root, 'package-lock.json'))
  return installedMs !== undefined && (lockedMs === undefined || installedMs >= lockedMs)
}

function modifiedMs(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs
}

function install() {
  const [command, args, shell] = npmCommand()
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
function npmCommand() {
  const npm = process.env.npm_execpath
  const node = [process.env.npm_node_execpath, process.execPath].find((path) => path && !isInModules(path))
  if (npm && basename(npm) === 'npm-cli.js' && node) return [node, [npm, ...installArgs], false]
  if (process.platform === 'win32') return ['npm.cmd', installArgs, true]
  return ['npm', installArgs, false]
}

function environmentWithoutModules() {
  const name = Object.keys(process.env).find((key) => key.toUpperCase() === 'PATH') ?? 'PATH'
  const folders = (process.env[name] ?? '').split(delimiter).filter((folder) => !isInModules(folder))
  return { ...process.env, [name]: folders.join(delimiter) }
}

function isInModules(path) {
  return path.split(sep).includes('node_modules')
}
