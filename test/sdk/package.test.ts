// Tests the package as it would be published: what is in it, what the tools that judge packages say, and that its types
// compile strictly where the README says so.
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../../src/config.ts'
import { share } from '../lifetime.ts'
import { findChecks } from './package-checks.ts'
import { packAndInstall } from './packed.ts'

/** Not what a comment quotes. */
const importPattern = /(?:^(?:import|export|\}).*\bfrom |\bimport\()['"]([^'"]+)['"]/gm
const checks = await findChecks()
const packed = share(packAndInstall)

const installedFiles = () =>
  globSync('**/*', { cwd: packed().installed, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(packed().installed, path.join(entry.parentPath, entry.name)))
    .map((file) => file.replaceAll(path.sep, '/'))

const read = (file: string) => readFileSync(path.join(packed().installed, file), 'utf8')

describe('the package', () => {
  test('has its code, its types, its README and its license, and nothing else', () => {
    const files = installedFiles()
    const others = files.filter((file) => !/^dist\/(resources\/)?[a-z-]+(\.d\.ts|\.js)$/.test(file))
    expect(others.toSorted()).toEqual(['LICENSE', 'README.md', 'package.json'])
    const sources = globSync('**/*.ts', { cwd: path.join(packageRoot, 'sdk/src') })
    const modules = sources.filter((file) => !file.endsWith('.test.ts'))
    expect(files.length - others.length).toBe(2 * modules.length)
  })

  test('imports only what is in it, by names that every compiler and runtime finds', () => {
    const missing = installedFiles()
      .filter((file) => file.startsWith('dist/'))
      .flatMap((file) => {
        const text = read(file)
        const imports = [...text.matchAll(importPattern)].map(([, to = '']) => to)
        const maps = [...text.matchAll(/sourceMappingURL=(\S+)/g)].map(([, map = '']) => `./${map}`)
        return [...imports, ...maps]
          .filter((to) => !isThere(path.posix.join(path.posix.dirname(file), to)) || !/^\..*\.js$/.test(to))
          .map((to) => `${file}: ${to}`)
      })
    expect(missing).toEqual([])
  })

  test('needs no other package, runs nothing when it is installed, and is of the same license', () => {
    const manifest = JSON.parse(read('package.json'))
    const dependencies = Object.keys(manifest).filter((name) => /dependencies/i.test(name))
    expect(dependencies).toEqual([])
    expect(Object.keys(manifest.scripts).filter((name) => /install|^prepare$/.test(name))).toEqual([])
    expect(read('LICENSE')).toBe(readFileSync(path.join(packageRoot, 'LICENSE'), 'utf8'))
  })
})

function isThere(file: string): boolean {
  return existsSync(path.join(packed().installed, file))
}

describe.concurrent('the package passes', () => {
  for (const { name, missing, run } of checks) {
    const why = missing === undefined ? '' : `, skipped: ${missing}`
    test.skipIf(missing)(`${name}${why}`, async () => {
      const printed = await run(packed())
      if (name === 'publint') expect(printed).toContain('All good!')
      else if (name === 'attw') expectOnlyEsm(JSON.parse(printed))
      else if (name === 'size-limit') expectSize(JSON.parse(printed))
      else expect(printed).toBe('')
    })
  }
})

/** Also of the resolutions that the profile ignores: a `require` gets ESM, as it does in Node 20.19 and 22.12. */
function expectOnlyEsm({ analysis }: { analysis: { problems: { kind: string }[]; types: unknown } }): void {
  expect(analysis.types).toEqual({ kind: 'included' })
  expect(new Set(analysis.problems.map(({ kind }) => kind))).toEqual(new Set(['CJSResolvesToESM']))
}

/** The README and the docs tell the size. */
function expectSize(measured: { passed: boolean; size: number }[]): void {
  expect(measured).toMatchObject([{ passed: true }])
  const [{ size = 0 } = {}] = measured
  const about = `about ${Math.round(size / 1_000)} KB`
  for (const file of ['sdk/README.md', 'docs/clients.md'])
    expect(readFileSync(path.join(packageRoot, file), 'utf8')).toContain(about)
}
