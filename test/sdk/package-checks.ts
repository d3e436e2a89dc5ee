// The tools and compilers that check the package, and how each is run.
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { packageRoot } from '../../src/config.ts'
import { fillFolder, hashInputs } from '../clients/kept.ts'
import { openToolbox, type Toolbox } from '../clients/toolbox.ts'
import type { Packed } from './packed.ts'

export interface PackageCheck {
  readonly name: string
  /** Why it cannot run here. */
  readonly missing: string | undefined
  /** Returns what the tool prints, and throws if it finds something. */
  run(packed: Packed): Promise<string>
}

const toolMaxMs = 120_000
/** Compilers make so much that Node's own size has them collect garbage for an eighth of their time. */
const roomFlag = '--max-semi-space-size=64'
const execute = promisify(execFile)
const strict = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  skipLibCheck: false,
  // The compiler's own, and no others.
  skipDefaultLibCheck: true,
  noEmit: true,
  target: 'es2022',
}
const browser = { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }
/** Node's own types, and none of the DOM. */
const server = { lib: ['es2022'], types: ['node'] }

/** Besides the package: the checks, and the versions of all tools. */
const inputFiles = [
  'test/sdk/package-checks.ts',
  'test/sdk/run-tsd.js',
  'test/{clients,runtimes}/package-lock.json',
  'package-lock.json',
]

/** What tsd exports, for compilers alone; its own declarations need more than they have. */
const tsdTypes = `declare module 'tsd' {
  export function expectType<Type>(value: Type): void
  export function expectAssignable<Type>(value: Type): void
  export function expectNotAssignable<Type>(value: unknown): void
}
`

/** Downloads the tools that are not there yet. */
export async function findChecks(): Promise<PackageCheck[]> {
  const tools = await openToolbox(path.join(packageRoot, 'test/clients'))
  const oldest = await openToolbox(path.join(packageRoot, 'test/runtimes'))
  const ours: Toolbox = { available: true, modules: path.join(packageRoot, 'node_modules') }
  const tool = (name: string, run: (packed: Packed, modules: string) => Promise<string>) =>
    checkOf(name, tools, run)
  const compiler = (name: string, box: Toolbox, folder: string, options: object) =>
    checkOf(name, box, (packed, modules) =>
      compile(packed, path.join(modules, folder, 'bin/tsc'), name, options),
    )
  return [
    tool('publint', ({ tarball, project }, modules) =>
      runScript(path.join(modules, 'publint/src/cli.js'), ['--strict', tarball], project),
    ),
    // The profile ignores what an ESM-only package cannot have: CommonJS for a `require`, and resolution without `exports`.
    tool('attw', ({ tarball, project }, modules) =>
      runScript(
        path.join(modules, '@arethetypeswrong/cli/dist/index.js'),
        [tarball, '--profile', 'esm-only', '--format', 'json'],
        project,
      ),
    ),
    tool('size-limit', measure),
    // With TypeScript 5.9, the types of Node, and without the DOM.
    tool('tsd', checkTypes),
    compiler('TypeScript 5.0 with the DOM', oldest, 'typescript-5.0', { ...browser, module: 'nodenext' }),
    compiler('TypeScript 7 without the DOM', ours, 'typescript', { ...server, module: 'nodenext' }),
    compiler('TypeScript 7 for a bundler', ours, 'typescript', {
      ...browser,
      module: 'esnext',
      moduleResolution: 'bundler',
    }),
  ]
}

function checkOf(
  name: string,
  toolbox: Toolbox,
  run: (packed: Packed, modules: string) => Promise<string>,
): PackageCheck {
  if (toolbox.available)
    return {
      name,
      missing: undefined,
      run: (packed) => runOnce(name, packed, () => run(packed, toolbox.modules)),
    }
  process.stderr.write(`SKIPPED: ${name} for the SDK — ${toolbox.reason}\n`)
  return { name, missing: toolbox.reason, run: async () => '' }
}

/** Returns what the tool printed when it last passed, if neither the package nor the tools have changed since. */
async function runOnce(
  name: string,
  { inputs, project }: Packed,
  run: () => Promise<string>,
): Promise<string> {
  const folder = path.join(project, '../printed', name.replaceAll(' ', '-'))
  const file = path.join(folder, 'printed.txt')
  await mkdir(folder, { recursive: true })
  await fillFolder(folder, `sdk-${path.basename(folder)}`, hashInputs(inputFiles, [inputs]), async () =>
    writeFile(file, await run()),
  )
  return readFile(file, 'utf8')
}

/** Measures what `npm run bundle` makes. size-limit finds its plugin in the manifest of a folder above. */
async function measure({ sources }: Packed, modules: string): Promise<string> {
  const above = { private: true, devDependencies: { '@size-limit/file': '*' } }
  await writeFile(path.join(sources, '../package.json'), JSON.stringify(above))
  await runScript(path.join(sources, 'bundle.ts'), [], sources)
  return runScript(path.join(modules, 'size-limit/bin.js'), ['--json'], sources)
}

/** Beside the package as it was installed: tsd checks the tests of the package in whose folder they are. */
async function checkTypes({ sources, project, installed }: Packed, modules: string): Promise<string> {
  const folder = path.join(project, '../tsd-package')
  await cp(installed, folder, { recursive: true })
  await cp(path.join(sources, 'type-tests'), path.join(folder, 'type-tests'), { recursive: true })
  await mkdir(path.join(folder, 'node_modules/@types'), { recursive: true })
  await symlink(path.join(modules, 'tsd'), path.join(folder, 'node_modules/tsd'), 'junction')
  const nodeTypes = 'node_modules/@types/node'
  await symlink(path.join(packageRoot, nodeTypes), path.join(folder, nodeTypes), 'junction')
  return runScript(fileURLToPath(import.meta.resolve('./run-tsd.js')), [modules], folder)
}

/** Compiles the type tests in a project of their own that has installed the package. */
async function compile(
  { sources, project }: Packed,
  compiler: string,
  name: string,
  options: object,
): Promise<string> {
  const folder = path.join(project, name.replaceAll(' ', '-'))
  await cp(path.join(sources, 'type-tests'), folder, { recursive: true })
  await writeFile(path.join(folder, 'tsd.d.ts'), tsdTypes)
  const typeRoots = [path.join(packageRoot, 'node_modules/@types')]
  const config = { compilerOptions: { ...strict, ...options, typeRoots }, include: ['*.ts'] }
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config))
  return runScript(compiler, ['--project', folder], folder)
}

async function runScript(script: string, args: readonly string[], cwd: string): Promise<string> {
  // The native compiler is a Go program: a higher GOGC makes it collect garbage less often.
  const env = { GOGC: '400', ...process.env, NO_COLOR: '1' }
  try {
    const { stdout } = await execute(process.execPath, [roomFlag, script, ...args], {
      cwd,
      env,
      timeout: toolMaxMs,
    })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${path.basename(script)} failed:\n${stdout}${stderr}`, { cause: error })
  }
}
