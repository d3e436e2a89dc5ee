// Packs the SDK as it would be published, from a copy of its sources, and installs it in an empty project. Needs no network.
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { packageRoot } from '../../src/config.ts'
import { fillFolder, hashInputs } from '../clients/kept.ts'
import { runNpm } from '../clients/toolbox.ts'
import { endLater } from '../lifetime.ts'

export interface Packed {
  /** The hash of all that the package was made of. */
  readonly inputs: string
  /** The copy of the sources, which has been built. */
  readonly sources: string
  readonly tarball: string
  /** The project that has installed the package. */
  readonly project: string
  /** The package as it was installed. */
  readonly installed: string
}

/** All that goes into the package and its installation; the root's lock file has the version of the compiler. */
const inputFiles = ['sdk/**', 'sdk/.*', 'package-lock.json', 'test/sdk/packed.ts', 'test/clients/toolbox.ts']

/** Each caller has a copy of its own, and only the first of them packs. */
export async function packAndInstall(): Promise<Packed> {
  const folder = await mkdtemp(path.join(tmpdir(), 'watchdata-package-'))
  endLater(() => rm(folder, { recursive: true, force: true }))
  const inputs = hashInputs(inputFiles, [packageRoot])
  await fillFolder(folder, 'sdk-package', inputs, () => fillWithPackage(folder))
  const project = path.join(folder, 'project')
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack has made no package')
  const installed = path.join(project, 'node_modules/@watchdata/sdk')
  if (!existsSync(installed)) throw new Error('npm install has not installed the package')
  return {
    inputs,
    sources: path.join(folder, 'sources/sdk'),
    tarball: path.join(folder, name),
    project,
    installed,
  }
}

/** Not built in its own place: another run may be packing it. */
async function fillWithPackage(folder: string): Promise<void> {
  const [sources, project] = [path.join(folder, 'sources/sdk'), path.join(folder, 'project')]
  const unwanted = ['dist', 'node_modules'].map((name) => path.join(packageRoot, 'sdk', name))
  await cp(path.join(packageRoot, 'sdk'), sources, {
    recursive: true,
    filter: (file) => !unwanted.includes(file),
  })
  // The build takes its compiler from here. Not above or in the project: npm removes what it does not expect, also behind
  // a link.
  await symlink(path.join(packageRoot, 'node_modules'), path.join(folder, 'sources/node_modules'), 'junction')
  await runNpm(['pack', `--pack-destination=${folder}`], sources)
  const name = (await readdir(folder)).find((file) => file.endsWith('.tgz'))
  if (name === undefined) throw new Error('npm pack has made no package')
  await mkdir(project)
  await writeFile(path.join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', `--cache=${path.join(folder, 'cache')}`]
  await runNpm(['install', '--offline', ...quiet, path.join(folder, name)], project)
  await rm(path.join(folder, 'cache'), { recursive: true, force: true })
}
