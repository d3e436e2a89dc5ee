// Tests that the docs match the code: their tables are generated from it, their links work, no setting they name is
// unknown.
import { spawnSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { settingRows } from '../../src/config.ts'
import { problems } from '../../src/errors.ts'
import { docsEntries } from '../../web/pages/docs/docs-pages.ts'

const root = path.resolve(import.meta.dirname, '../..')
const docPages = globSync(['*.md', 'docs/**/*.md', 'catalogue/*.md', 'migrations/*.md'], { cwd: root })

test('the generated parts of the docs are up to date', () => {
  const check = spawnSync(process.execPath, ['scripts/write-docs.ts', '--check'], {
    cwd: root,
    encoding: 'utf8',
  })
  expect(check.stderr).toBe('')
  expect(check.status).toBe(0)
})

test('every file of docs/ is a page, and has no HTML but its markers', () => {
  const files = globSync('*.md', { cwd: path.join(root, 'docs') })
  expect(files.toSorted()).toEqual(docsEntries.map(({ file }) => file).toSorted())
  const marks = /^<!-- ([a-z-]+( \w+)*: written by npm run docs|end|event|sample: \w+) -->$/
  for (const file of files) {
    const docPage = readFileSync(path.join(root, 'docs', file), 'utf8')
    const prose = docPage.replaceAll(/^ *```.*?^ *```/gms, '').replaceAll(/`[^`\n]*`/g, '')
    const found = [...prose.matchAll(/^.*<[a-z!/].*$/gim)].map(([line]) => line)
    expect([file, found.filter((line) => !marks.test(line))]).toEqual([file, []])
  }
})

test('every setting and every error has a row on its page', () => {
  const settingsPage = readFileSync(path.join(root, 'docs/settings.md'), 'utf8')
  const errorsPage = readFileSync(path.join(root, 'docs/errors.md'), 'utf8')
  for (const { env } of settingRows()) expect(settingsPage).toContain(`| \`${env}\` |`)
  for (const { status, message } of Object.values(problems))
    expect(errorsPage).toContain(`| ${status} | \`${message}\``)
})

test('the error table has the exact texts of the API specification', () => {
  const text = (code: keyof typeof problems) => `${problems[code].status} ${problems[code].message}`
  expect(text('unauthenticated')).toBe('401 Unauthenticated.')
  expect(text('plan_excludes')).toBe('403 Your plan does not include access to this resource.')
  expect(text('not_found')).toBe('404 Resource not found.')
  expect(text('invalid')).toBe('422 The given data was invalid.')
  expect(text('too_many_requests')).toBe(
    '429 Too many requests. Please retry after the period indicated in the Retry-After header.',
  )
})

test('every link between docs pages leads to a file', () => {
  const broken = docPages.flatMap((docPage) => {
    const text = readFileSync(path.join(root, docPage), 'utf8')
    return [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !existsSync(path.join(root, path.dirname(docPage), target)))
      .map((target) => `${docPage} → ${target}`)
  })
  expect(broken).toEqual([])
})

test('the files that a newcomer looks for exist', () => {
  const wanted = [
    'README.md',
    'ARCHITECTURE.md',
    'STYLE.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'LICENSE',
  ]
  expect(wanted.filter((file) => !existsSync(path.join(root, file)))).toEqual([])
})

test('the settings that the README names exist', () => {
  const known = new Set(settingRows().map(({ env }) => env))
  const readme = readFileSync(path.join(root, 'README.md'), 'utf8')
  const named = [...readme.matchAll(/\b([A-Z]+(?:_[A-Z]+)*)=/g)].map(([, name = '']) => name)
  // A customer's settings are read only by `listen`.
  const isOthers = (name: string) => /^(TEST|WATCHDATA)_/.test(name) || name === 'CI'
  expect(named.filter((name) => !known.has(name) && !isOthers(name))).toEqual([])
})
