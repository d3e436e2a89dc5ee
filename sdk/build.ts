// `npm run build`: compiles src/ to dist/. Declarations import `.js` like the code: older compilers find no `.ts` there.
import { spawnSync } from 'node:child_process'
import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

const root = import.meta.dirname
const built = path.join(root, 'dist')
rmSync(built, { recursive: true, force: true })
const compiler = path.join(
  path.dirname(createRequire(import.meta.url).resolve('typescript/package.json')),
  'bin/tsc',
)
process.exitCode =
  spawnSync(process.execPath, [compiler, '--project', root], { stdio: 'inherit' }).status ?? 1
for (const file of globSync('**/*.d.ts', { cwd: built })) {
  const declarations = path.join(built, file)
  const text = readFileSync(declarations, 'utf8')
  writeFileSync(declarations, text.replaceAll(/(from '\.[^']*)\.ts'/g, "$1.js'"))
}
