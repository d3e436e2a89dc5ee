// The table of client generators, and a run of all of them: generates every client from a document, compiles the clients
// with the code that calls them, and loads them.
import { execFile } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/config.ts'
import { endLater } from '../lifetime.ts'
import { fillFolder, hashInputs } from './kept.ts'
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
const projects = ['tsconfig.json', 'tsconfig.hey-api.json'] as const
/** TypeScript 7, which is of the project's own installation: TypeScript 5 takes eight times as long. */
const compiler = 'typescript/bin/tsc'
const ourModules = path.join(packageRoot, 'node_modules')

/** All that the clients are made of, besides the document. */
const inputFiles = [
  'test/clients/generators.ts',
  'test/clients/project/*',
  'test/clients/package-lock.json',
  'package-lock.json',
]
const lastingUrl = 'http://service.invalid'

export const clientNames: readonly string[] = generators.flatMap(({ clients }) => clients)

/** Generators make so much that Node's own size has them collect garbage for an eighth of their time. */
const roomFlag = '--max-semi-space-size=64'
const commandMaxMs = 120_000
const run = promisify(execFile)

/** Returns what each client's file in project/ exports, compiled. `baseUrl` is the server's address in the document. */
export async function generateClients(
  document: string,
  baseUrl: string,
  modules: string,
): Promise<Map<string, Connect>> {
  const folder = await mkdtemp(path.join(tmpdir(), 'watchdata-clients-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  // Each run has a port of its own, which would make every document another.
  const lasting = document.replaceAll(baseUrl, lastingUrl)
  await fillFolder(folder, 'clients', hashInputs(inputFiles, [lasting]), () =>
    compileClients(lasting, modules, folder),
  )
  await symlink(modules, path.join(folder, 'node_modules'), 'junction')
  await replaceInFiles(path.join(folder, 'compiled'), lastingUrl, baseUrl)
  const loaded = clientNames.map(async (name) => {
    const file = path.join(folder, 'compiled', `${name}.js`)
    const { connect } = (await import(pathToFileURL(file).href)) as { connect: Connect }
    return [name, connect] as const
  })
  return new Map(await Promise.all(loaded))
}

/** Leaves only what the clients need to run. */
async function compileClients(document: string, modules: string, folder: string): Promise<void> {
  const project = await mkdtemp(path.join(tmpdir(), 'watchdata-generated-'))
  try {
    await cp(path.join(import.meta.dirname, 'project'), project, { recursive: true })
    await symlink(modules, path.join(project, 'node_modules'), 'junction')
    await writeFile(path.join(project, 'openapi.json'), document)
    await Promise.all(
      generators.map(({ command: [script, ...args] }) => runIn(project, modules, script, args)),
    )
    await Promise.all(projects.map((file) => runIn(project, ourModules, compiler, ['--project', file])))
    for (const name of ['package.json', 'compiled'])
      await cp(path.join(project, name), path.join(folder, name), { recursive: true })
  } finally {
    await rm(project, { recursive: true, force: true })
  }
}

async function replaceInFiles(folder: string, from: string, to: string): Promise<void> {
  for (const file of globSync('**/*.js', { cwd: folder }).map((name) => path.join(folder, name))) {
    const text = readFileSync(file, 'utf8')
    if (text.includes(from)) await writeFile(file, text.replaceAll(from, to))
  }
}

async function runIn(
  folder: string,
  modules: string,
  script: string,
  args: readonly string[],
): Promise<void> {
  try {
    await run(process.execPath, [roomFlag, path.join(modules, script), ...args], {
      cwd: folder,
      // The native compiler is a Go program: a higher GOGC makes it collect garbage less often.
      env: { GOGC: '400', ...process.env, DO_NOT_TRACK: '1', NO_COLOR: '1' },
      timeout: commandMaxMs,
    })
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${script} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
