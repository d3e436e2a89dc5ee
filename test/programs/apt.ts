// Installs Debian packages where no confirmation is needed: as root, with apt-get.
// Returns the reason for a failure instead of throwing, because tests can run without an optional program.
import { spawn } from 'node:child_process'
import { findBinary } from './binaries.ts'

export type AptResult = { installed: true } | { installed: false; reason: string }

const updateMaxMs = 60_000
const installMaxMs = 180_000
const lockWaitMaxSeconds = 60
const outputMaxChars = 10_000

// Two concurrent apt-get processes would compete for dpkg's lock, so installations queue here; the package lists are
// fetched once.
let queue: Promise<unknown> = Promise.resolve()
let update: Promise<string | undefined> | undefined

export function installPackage(name: string): Promise<AptResult> {
  const result = queue.then(() => install(name))
  queue = result
  return result
}

async function install(name: string): Promise<AptResult> {
  const aptGet = findBinary({ names: ['apt-get'] })
  if (!aptGet) return { installed: false, reason: 'there is no apt-get here to install it' }
  if (process.getuid?.() !== 0) return { installed: false, reason: 'apt-get can install it only as root' }
  process.stderr.write(`Installing ${name} for the tests (apt-get) …\n`)
  update ??= runApt(aptGet, ['update'], updateMaxMs)
  // Stale package lists may still do, so a failed update is reported only if the installation fails as well.
  const updateFailure = await update
  const failure = await runApt(aptGet, ['install', '-y', '--no-install-recommends', name], installMaxMs)
  if (failure === undefined) return { installed: true }
  return { installed: false, reason: updateFailure ?? failure }
}

/** Returns the reason for the failure, or undefined. */
function runApt(aptGet: string, args: string[], maxMs: number): Promise<string | undefined> {
  const child = spawn(aptGet, ['-q', '-o', `DPkg::Lock::Timeout=${lockWaitMaxSeconds}`, ...args], {
    // RUNLEVEL=1 prevents the package from starting its own server beside ours.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1', LC_ALL: 'C' },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: maxMs,
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output = (output + text).slice(-outputMaxChars)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`apt-get did not start (${error.message})`))
    child.once('close', (code, signal) => {
      if (code === 0) resolve(undefined)
      else if (signal) resolve(`apt-get ${args[0]} was stopped after ${maxMs / 1000} s`)
      else resolve(`apt-get ${args[0]} failed (${firstError(output) ?? `code ${code}`})`)
    })
  })
}

function firstError(output: string): string | undefined {
  return output
    .split('\n')
    .find((line) => line.startsWith('E: '))
    ?.slice('E: '.length)
}
