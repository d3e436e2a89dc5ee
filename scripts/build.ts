// `npm run build`: makes what browsers are sent (web/build) from web/, unless it was made from these very files already.
// Runs before `npm start`, `npm test` and `watchdata serve` by itself, and writes nothing where nothing has changed.
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '..')
const built = path.join(root, 'web/build')
const stamp = path.join(built, 'made-from')
/** Made beside it: whoever starts meanwhile finds the old one whole. */
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

/** Of everything that the result depends on; not of where that lies, because what is built may be moved. */
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
