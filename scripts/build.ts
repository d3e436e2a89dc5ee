// `npm run build`: builds the browser assets (web/build) from web/ with Vite. Runs automatically before `npm start`,
// `npm test` and `watchdata serve`, and does nothing when the sources have not changed since the last build.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const built = path.join(root, 'web/build')
const stamp = path.join(built, 'made-from')
/** Temporary directories: a process that starts during the build still finds the complete old assets. */
const [next, old] = [`${built}.${process.pid}.next`, `${built}.${process.pid}.old`]

const made = digest()
if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== made) {
  try {
    const { build } = await import('vite')
    await build({ configFile: path.join(root, 'vite.config.ts'), build: { outDir: next } })
    writeFileSync(path.join(next, 'made-from'), made)
    replaceBuilt()
  } catch (error) {
    process.stderr.write(`The pages could not be built in ${root}: ${(error as Error).message}\n`)
    process.exitCode = 1
    rmSync(next, { recursive: true, force: true })
  }
}

function replaceBuilt(): void {
  if (existsSync(built)) renameSync(built, old)
  renameSync(next, built)
  rmSync(old, { recursive: true, force: true })
}

/**
 * Hashes every file that the build depends on. The hash contains relative paths only, because the checkout may be moved
 * after the build.
 */
function digest(): string {
  const files = globSync(['web/{dashboard,scripts,style}/**/*', 'vite.config.ts', 'package-lock.json'], {
    cwd: root,
    withFileTypes: true,
  })
  const names = files
    .filter((file) => file.isFile())
    .map((file) => path.relative(root, path.join(file.parentPath, file.name)))
  const hash = createHash('sha256')
  for (const name of names.sort()) {
    const content = readFileSync(path.join(root, name))
    hash.update(`${name.length} ${name} ${content.length} `).update(content)
  }
  return hash.digest('hex')
}
