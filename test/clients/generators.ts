// The table of client generators, and a run of all of them: generates every client from a document, compiles the clients
// with the code that calls them, and loads them.
import { execFile } from 'node:child_process'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { endLater } from '../lifetime.ts'
import type { Connect } from './project/calls.ts'

/** A command of a package, run in the project of its clients. */
type Command = readonly [script: string, ...args: string[]]

interface Generator {
  readonly command: Command
  /** Each has a file of this name in project/, which calls it. */
  readonly clients: readonly string[]
}

const schemaFile = './generated/openapi-fetch/schema.ts'

const generators: readonly Generator[] = [
  {
    command: ['openapi-typescript/bin/cli.js', 'openapi.json', '--output', schemaFile],
    clients: ['openapi-fetch'],
  },
  {
    command: ['orval/dist/bin/orval.mjs', '--config', 'orval-config.mjs'],
    clients: ['orval-fetch', 'orval-axios'],
  },
  {
    command: ['@kubb/cli/bin/kubb.cjs', 'generate', '--config', 'kubb-config.mjs'],
    clients: ['kubb-fetch', 'kubb-axios'],
  },
  {
    command: ['@hey-api/openapi-ts/bin/run.js', '--file', 'openapi-ts-config.mjs'],
    clients: ['hey-api-fetch', 'hey-api-axios'],
  },
]

/** The files that hey-api adds to a client do not compile with `exactOptionalPropertyTypes`. */
const compilations: readonly Command[] = [
  ['typescript/bin/tsc', '--project', 'tsconfig.json'],
  ['typescript/bin/tsc', '--project', 'tsconfig.hey-api.json'],
]

export const clientNames: readonly string[] = generators.flatMap(({ clients }) => clients)

const commandMaxMs = 120_000
const run = promisify(execFile)

/** Returns what each client's file in project/ exports, compiled. */
export async function generateClients(document: string, modules: string): Promise<Map<string, Connect>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'watchdata-clients-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  await cp(path.join(import.meta.dirname, 'project'), folder, { recursive: true })
  await symlink(modules, path.join(folder, 'node_modules'), 'junction')
  await writeFile(path.join(folder, 'openapi.json'), document)
  await Promise.all(generators.map(({ command }) => runIn(folder, command)))
  await Promise.all(compilations.map((command) => runIn(folder, command)))
  const loaded = clientNames.map(async (name) => {
    const file = path.join(folder, 'compiled', `${name}.js`)
    const { connect } = (await import(pathToFileURL(file).href)) as { connect: Connect }
    return [name, connect] as const
  })
  return new Map(await Promise.all(loaded))
}

async function runIn(folder: string, [script, ...args]: Command): Promise<void> {
  try {
    await run(process.execPath, [path.join(folder, 'node_modules', script), ...args], {
      cwd: folder,
      env: { ...process.env, DO_NOT_TRACK: '1', NO_COLOR: '1' },
      timeout: commandMaxMs,
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${script} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
