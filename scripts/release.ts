// Makes a release: `npm run release -- patch|minor|major`. Checks that the tree is clean and that CHANGELOG.md has entries
// for the release, runs the whole test suite, sets the version, also of the SDK, commits and tags. Pushing and publishing
// are left to the maintainer.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const heading = '## Unreleased'

/** The version after this one. */
export function nextVersion(version: string, part: string): string {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  if (part === 'major') return `${major + 1}.0.0`
  if (part === 'minor') return `${major}.${minor + 1}.0`
  if (part === 'patch') return `${major}.${minor}.${patch + 1}`
  throw new Error('Usage: npm run release -- patch|minor|major')
}

/** Gives the unreleased entries a version and a date, below an empty section for the next ones. */
export function cutChangelog(text: string, version: string, date: string): { text: string; notes: string } {
  const [before = '', rest] = text.split(`${heading}\n`)
  if (rest === undefined) throw new Error(`CHANGELOG.md has no section "${heading}"`)
  const end = rest.search(/^## /m)
  const notes = (end === -1 ? rest : rest.slice(0, end)).trim()
  if (!/^- /m.test(notes))
    throw new Error(`CHANGELOG.md has no entries under "${heading}": say what changed first`)
  const older = end === -1 ? '' : `\n${rest.slice(end)}`
  return { text: `${before}${heading}\n\n## ${version} (${date})\n\n${notes}\n${older}`, notes }
}

function release(part: string): void {
  const root = process.cwd()
  const { version: current } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const version = nextVersion(current, part)
  const changelogFile = path.join(root, 'CHANGELOG.md')
  const date = new Date().toISOString().slice(0, 10)
  const changelog = cutChangelog(readFileSync(changelogFile, 'utf8'), version, date)
  if (run('git', 'branch', '--show-current') !== 'main') throw new Error('Releases are made from main')
  if (run('git', 'status', '--porcelain') !== '')
    throw new Error('There are uncommitted changes: commit them first')
  if (run('git', 'tag', '--list', `v${version}`) !== '') throw new Error(`The tag v${version} exists already`)
  show('npm', 'test')
  run('npm', 'version', version, '--no-git-tag-version')
  setSdkVersion(root, version)
  writeFileSync(changelogFile, changelog.text)
  run('git', 'add', 'package.json', 'package-lock.json', 'sdk/package.json', 'CHANGELOG.md')
  run('git', 'commit', '-m', `release: ${version}`, '-m', changelog.notes)
  run('git', 'tag', '-a', `v${version}`, '-m', `${version}\n\n${changelog.notes}`)
  process.stdout.write(`Released ${version}. To publish it: git push --follow-tags\n`)
}

/** The SDK has the version of the service. npm would install everything again to set it in the lock. */
function setSdkVersion(root: string, version: string): void {
  const [manifestFile, lockFile] = [path.join(root, 'sdk/package.json'), path.join(root, 'package-lock.json')]
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8'))
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'))
  manifest.version = version
  lock.packages.sdk.version = version
  writeFileSync(manifestFile, `${JSON.stringify(manifest, null, 2)}\n`)
  writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`)
}

function run(command: string, ...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: ${stderr.trim()}`)
  return stdout.trim()
}

function show(command: string, ...args: string[]): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit' })
  if (status !== 0) throw new Error(`${command} ${args[0]} failed: nothing was released`)
}

if (import.meta.main) {
  try {
    release(process.argv[2] ?? '')
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`)
    process.exitCode = 1
  }
}
