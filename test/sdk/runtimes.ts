// The table of runtimes that the SDK supports: where the tests find each, and how each runs a program.
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { openToolbox } from '../clients/toolbox.ts'

export interface Runtime {
  readonly name: string
  readonly path: string
  /** The arguments that come before the program. `hosts` are the only ones that it may connect to. */
  args(hosts: readonly string[]): string[]
  /** Why it cannot run here. */
  readonly missing: string | undefined
}

const runMaxMs = 60_000
const run = promisify(execFile)
const folder = path.resolve(import.meta.dirname, '../runtimes')

/** Each with the beginning of what it prints for `--version`. */
const table = [
  { name: 'Node 20', path: 'node-20/bin/node', version: 'v20.' },
  { name: 'Node 22', path: 'node-22/bin/node', version: 'v22.' },
  { name: 'Node 26', path: process.execPath, version: 'v26.' },
  { name: 'Bun', path: '@oven/bun-linux-x64-baseline/bin/bun', version: '1.' },
  {
    name: 'Deno',
    path: '@deno/linux-x64-glibc/deno',
    version: 'deno 2.',
    args: (hosts: readonly string[]) => [
      ...['run', '--no-prompt', '--cached-only'],
      ...(hosts.length > 0 ? [`--allow-net=${hosts.join()}`] : []),
    ],
  },
] as const

/** Downloads what is not there yet. */
export async function findRuntimes(): Promise<Runtime[]> {
  const toolbox = await openToolbox(folder)
  return Promise.all(
    table.map(async ({ name, path: place, version, ...special }) => {
      const file = path.resolve(folder, 'node_modules', place)
      const reason = toolbox.available ? await faultOf(file, version) : toolbox.reason
      const missing = file === process.execPath ? await faultOf(file, version) : reason
      const runtime = { name, path: file, missing, args: 'args' in special ? special.args : () => [] }
      if (missing !== undefined) process.stderr.write(`SKIPPED: the SDK in ${name} — ${missing}\n`)
      return runtime
    }),
  )
}

/** Runs a file of a folder to its end. Returns what it prints, and throws if it prints an error. */
export async function runIn(
  { path: file, args }: Pick<Runtime, 'path' | 'args'>,
  program: string,
  cwd: string,
  hosts: readonly string[] = [],
): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: cwd, DENO_DIR: path.join(cwd, 'deno'), NO_COLOR: '1' }
  const options = { cwd, env: { ...env, DENO_NO_UPDATE_CHECK: '1' }, timeout: runMaxMs }
  const { stdout, stderr } = await run(file, [...args(hosts), program], options)
  if (stderr !== '') throw new Error(`${path.basename(file)} printed: ${stderr}`)
  return stdout
}

/** npm silently leaves out optional packages that are not for this machine, or that it could not get. */
async function faultOf(file: string, version: string): Promise<string | undefined> {
  if (!existsSync(file)) return `npm has not installed it for ${process.platform}-${process.arch}`
  try {
    const { stdout } = await run(file, ['--version'], { timeout: runMaxMs })
    return stdout.startsWith(version) ? undefined : `this is ${stdout.split('\n')[0]}`
  } catch (error) {
    return `it does not start (${(error as Error).message.split('\n')[0]})`
  }
}
