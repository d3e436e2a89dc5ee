import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { describeEachEngine } from '../databases/engines.ts'
import { neededPrograms } from '../programs/needed-programs.ts'
import { budgetLines, budgetSeconds, slowestLines } from '../run/budget.ts'

const files = Array.from({ length: 12 }, (_, at) => ({ file: `test/${at}.test.ts`, seconds: at + 1 }))
const run = { seconds: budgetSeconds + 1, otherLoad: 0.02, files, released: files }

it('names the ten slowest files, the slowest first', () => {
  const [, first, ...others] = slowestLines(files)
  expect(first).toMatch(/^ +12\.0 s {2}test\/11\.test\.ts$/)
  expect(others).toHaveLength(9)
})

it('prints only the time of a run within its budget', () => {
  expect(budgetLines({ ...run, seconds: 300 })).toEqual(['time: 300 s of 360 s'])
})

it('reports a run over its budget, with the files that have grown since the last release or are new', () => {
  const grown = [
    { file: 'test/3.test.ts', seconds: 40 },
    { file: 'test/new.test.ts', seconds: 9 },
    ...files.slice(4),
  ]
  expect(budgetLines({ ...run, files: grown })).toEqual([
    'OVER BUDGET, time: 361 s of 360 s, on an otherwise idle machine',
    'grown since the last release; a typical file took 1.0 times as long as at the last release',
    expect.stringMatching(/^ +\+36\.0 s {2}test\/3\.test\.ts$/),
    expect.stringMatching(/^ +\+9\.0 s {2}test\/new\.test\.ts \(new\)$/),
  ])
})

it('reports no file as grown if all files took longer by the same factor', () => {
  const slower = files.map(({ file, seconds }) => ({ file, seconds: seconds * 2 }))
  expect(budgetLines({ ...run, files: slower })[1]).toBe(
    'No file has grown; a typical file took 2.0 times as long as at the last release.',
  )
  const [grown] = budgetLines({
    ...run,
    files: [...slower.slice(1), { file: 'test/0.test.ts', seconds: 10 }],
  }).slice(2)
  expect(grown).toMatch(/^ +\+8\.0 s {2}test\/0\.test\.ts$/)
})

it('reports no file as grown on a busy machine, or if no release was recorded', () => {
  expect(budgetLines({ ...run, otherLoad: 0.4 })).toEqual([
    'time: 361 s of 360 s, on a busy machine: other programs had 40 % of the processors',
  ])
  expect(budgetLines({ ...run, released: [] })[1]).toContain('--record')
})

it('starts only the programs that the files need, themselves or through their imports', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'watchdata-needs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const plain = write('plain.test.ts', "test('x')")
  // Assembled here, or this file itself would count as needing PostgreSQL.
  const either = write('either.test.ts', `${describeEachEngine.name}('x', () => {})`)
  expect(neededPrograms([plain])).toEqual([])
  expect(neededPrograms([plain, either])).toEqual(['postgres'])
  const page = path.resolve(import.meta.dirname, '../browser/dialogs.test.ts')
  expect(neededPrograms([page])).toContain('chromium')
})
