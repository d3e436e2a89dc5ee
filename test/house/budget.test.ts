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

it('tells the time of a run within its budget, and nothing else', () => {
  expect(budgetLines({ ...run, seconds: 300 })).toEqual(['time: 300 s of 360 s'])
})

it('says that a run was over its budget, and which files have grown since the last release or are new', () => {
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

it('blames no file for a machine that is slower for all of them', () => {
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

it('blames nobody where other programs kept the processors busy, or no release was recorded', () => {
  expect(budgetLines({ ...run, otherLoad: 0.4 })).toEqual([
    'time: 361 s of 360 s, on a busy machine: other programs had 40 % of the processors',
  ])
  expect(budgetLines({ ...run, released: [] })[1]).toContain('--record')
})

it('starts only the programs that the files call for, themselves or through what they import', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'watchdata-needs-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text)
    return path.join(folder, name)
  }
  const plain = write('plain.test.ts', "test('x')")
  // Put together, or this file would call for PostgreSQL.
  const either = write('either.test.ts', `${describeEachEngine.name}('x', () => {})`)
  expect(neededPrograms([plain])).toEqual([])
  expect(neededPrograms([plain, either])).toEqual(['postgres'])
  const page = path.resolve(import.meta.dirname, '../browser/dialogs.test.ts')
  expect(neededPrograms([page])).toContain('chromium')
})
