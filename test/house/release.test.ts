// `npm run release` leaves a version, a dated changelog, a commit and a tag, or nothing at all.
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { cutChangelog, nextVersion } from '../../scripts/release.ts'

const script = path.resolve(import.meta.dirname, '../../scripts/release.ts')
const changelog =
  '# Changelog\n\n## Unreleased\n\n- Something new.\n\n## 0.1.0 (2026-01-01)\n\n- The first.\n'

test('a release has the next version, and its entries are dated below an empty section', () => {
  expect(['patch', 'minor', 'major'].map((part) => nextVersion('1.2.3', part))).toEqual([
    '1.2.4',
    '1.3.0',
    '2.0.0',
  ])
  expect(() => nextVersion('1.2.3', 'tiny')).toThrow('Usage')
  expect(cutChangelog(changelog, '0.2.0', '2026-02-01')).toEqual({
    text: changelog.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 (2026-02-01)\n'),
    notes: '- Something new.',
  })
})

test('a release commits and tags what passed the tests', () => {
  const repository = openRepository('exit 0')
  expect(repository.release('minor')).toMatchObject({ status: 0 })
  const read = (file: string) => JSON.parse(repository.read(file))
  const lock = read('package-lock.json')
  const versions = [
    read('package.json'),
    read('sdk/package.json'),
    lock,
    lock.packages[''],
    lock.packages.sdk,
  ]
  expect(versions.map(({ version }) => version)).toEqual(Array(5).fill('0.2.0'))
  expect(repository.git('show', '--stat', '--format=')).toContain('sdk/package.json')
  expect(repository.read('CHANGELOG.md')).toMatch(
    /^## Unreleased\n\n## 0\.2\.0 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.$/m,
  )
  expect(repository.git('log', '-1', '--format=%s')).toBe('release: 0.2.0')
  expect(repository.git('describe', '--exact-match')).toBe('v0.2.0')
  expect(repository.git('status', '--porcelain')).toBe('')
  expect(repository.release('minor').stderr).toContain('no entries under "## Unreleased"')
})

test('nothing is released when a test fails or a change is not committed', () => {
  const failing = openRepository('exit 1')
  expect(failing.release('patch')).toMatchObject({ status: 1 })
  expect([failing.git('status', '--porcelain'), failing.git('tag')]).toEqual(['', ''])
  const dirty = openRepository('exit 0')
  writeFileSync(path.join(dirty.directory, 'new.txt'), '')
  expect(dirty.release('patch').stderr).toContain('uncommitted changes')
  expect(dirty.git('tag')).toBe('')
})

/** A repository with a changelog, whose `npm test` does what it is told. */
function openRepository(testCommand: string) {
  const directory = mkdtempSync(path.join(tmpdir(), 'watchdata-release-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  const name = { GIT_AUTHOR_NAME: 'Ada', GIT_COMMITTER_NAME: 'Ada' }
  const email = { GIT_AUTHOR_EMAIL: 'ada@example.org', GIT_COMMITTER_EMAIL: 'ada@example.org' }
  const env = { ...process.env, ...name, ...email, GIT_CONFIG_GLOBAL: '/dev/null' }
  const spawn = (command: string, ...args: string[]) =>
    spawnSync(command, args, { cwd: directory, encoding: 'utf8', env })
  const git = (...args: string[]) => spawn('git', ...args).stdout.trim()
  const write = (file: string, contents: object) =>
    writeFileSync(path.join(directory, file), JSON.stringify(contents))
  const [sample, sdk] = ['sample', '@sample/sdk'].map((name) => ({ name, version: '0.1.0' }))
  mkdirSync(path.join(directory, 'sdk'))
  write('package.json', { ...sample, workspaces: ['sdk'], scripts: { test: testCommand } })
  write('sdk/package.json', { ...sdk })
  write('package-lock.json', {
    ...sample,
    lockfileVersion: 3,
    packages: { '': sample, 'node_modules/@sample/sdk': { resolved: 'sdk', link: true }, sdk },
  })
  writeFileSync(path.join(directory, 'CHANGELOG.md'), changelog)
  git('init', '-b', 'main')
  git('add', '.')
  git('commit', '-m', 'sample: Begin')
  return {
    directory,
    git,
    read: (file: string) => readFileSync(path.join(directory, file), 'utf8'),
    release: (part: string) => spawn(process.execPath, script, part),
  }
}
