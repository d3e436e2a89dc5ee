// Tests `watchdata export` as an operator runs it: files by extension, stdout for pipes, and plain error messages.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { lstat, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { readSample } from '../../src/catalogue/sample.ts'
import { createEngine, describeEachEngine } from '../databases/engines.ts'
import { share } from '../lifetime.ts'
import { fixtureOf } from './cli-fixture.ts'
import { command } from './command.ts'

const sample = await readSample()
const count = sample.watches.length

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-export-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

const linesOf = (text: string) => text.split('\n').filter((line) => line !== '')

describeEachEngine('watchdata export', (engine) => {
  const shared = share(() => fixtureOf(engine, 'sample'))

  test('writes the format of the file’s extension, and prints rows, bytes and seconds to stderr', async () => {
    const fixture = shared()
    const file = path.join(await newDirectory(), 'watches.ndjson')
    const { code, stdout, stderr } = await fixture.run('export', file)
    expect([code, stdout]).toEqual([0, ''])
    const { size } = await stat(file)
    expect(stderr).toMatch(
      new RegExp(
        `^Exported ${count} watches to ${file} \\(${size.toLocaleString('en-US')} bytes, \\d+\\.\\d s\\)\\.\\n$`,
      ),
    )
    const watches = linesOf(await readFile(file, 'utf8')).map((line) => JSON.parse(line))
    expect(watches.map(({ specs }) => specs)).toEqual(sample.watches.map(({ specs }) => specs))
  })

  test('with --json prints what it wrote', async () => {
    const fixture = shared()
    const file = path.join(await newDirectory(), 'brands.csv.gz')
    const { seconds, ...summary } = await fixture.json('export', file, '--of', 'brands')
    const { size: bytes } = await stat(file)
    const rows = sample.brands.length
    expect(summary).toEqual({ file, of: 'brands', format: 'csv', compression: 'gzip', rows, bytes })
    expect(seconds).toBeGreaterThan(0)
  })
})

const sqlite = createEngine()
const shared = share(() => fixtureOf(sqlite, 'sample'))

test('stdout contains only the catalogue', async () => {
  const fixture = shared()
  const { code, stdout, stderr } = await fixture.run('export', '-')
  expect([code, linesOf(stdout).length]).toEqual([0, count])
  expect(stderr).toContain(`Exported ${count} watches to stdout`)
  const csv = await fixture.run('export', '-', '--format', 'csv', '--json')
  expect(csv.stdout).toMatch(/^id,brand,collection,/)
  expect(JSON.parse(csv.stderr)).toMatchObject({
    file: '-',
    compression: null,
    rows: count,
    bytes: Buffer.byteLength(csv.stdout),
  })
})

test('a single watch or brand is printed in the singular', async () => {
  const fixture = await fixtureOf(sqlite, 'sample')
  fixture.execute('DELETE FROM prices; DELETE FROM watches WHERE id > 1; DELETE FROM brands WHERE id > 1')
  expect((await fixture.run('export', '-')).stderr).toMatch(/^Exported 1 watch to stdout/)
  expect((await fixture.run('export', '-', '--of', 'brands')).stderr).toMatch(/^Exported 1 brand to stdout/)
})

test('a reader may close stdout early', async () => {
  const fixture = shared()
  const shell = `"${command}" export - | head -c 10; "${command}" export - --format csv.gz | gzip -dc | wc -l`
  const { stdout, stderr } = spawnSync('sh', ['-c', shell], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH, ...fixture.settings },
  })
  expect(stdout).toBe(`{"id":1,"b${count + 1}\n`)
  expect(stderr).toContain(`Exported ${count} watches`)
})

test('compressed files and Parquet have the format of their extension', async () => {
  const fixture = shared()
  const directory = await newDirectory()
  const fileOf = async (name: string) => {
    await fixture.json('export', path.join(directory, name))
    return readFile(path.join(directory, name))
  }
  const plain = await fileOf('a.ndjson')
  expect(gunzipSync(await fileOf('a.ndjson.gz')).equals(plain)).toBe(true)
  expect(zstdDecompressSync(await fileOf('a.jsonl.zst')).equals(plain)).toBe(true)
  expect((await fileOf('a.parquet')).subarray(0, 4).toString()).toBe('PAR1')
  expect((await readdir(directory)).filter((name) => name.endsWith('.partial'))).toEqual([])
})

test('a symbolic link to a pipe is written through, and stays a link', async () => {
  const fixture = shared()
  const link = path.join(await newDirectory(), 'out')
  await symlink('/proc/self/fd/1', link)
  // Through a shell, which creates a pipe. Node connects processes with sockets, which cannot be opened by path.
  const line = `"${command}" export "${link}" --format ndjson | wc -l`
  const { stdout } = spawnSync('sh', ['-c', line], {
    env: { PATH: process.env.PATH, ...fixture.settings },
    encoding: 'utf8',
  })
  expect(Number(stdout)).toBe(count)
  expect((await lstat(link)).isSymbolicLink()).toBe(true)
})

test('replaces an existing file', async () => {
  const fixture = shared()
  const file = path.join(await newDirectory(), 'prices.csv')
  await writeFile(file, 'of yesterday')
  const { rows } = await fixture.json('export', file, '--of', 'prices')
  const lines = linesOf(await readFile(file, 'utf8'))
  expect(lines[0]).toBe('\ufeffwatch_id,date,retail_price_usd,current_market_price,source\r')
  expect(lines.length).toBe(rows + 1)
})

test('an impossible export is rejected in a sentence, and leaves nothing behind', async () => {
  const fixture = shared()
  const directory = await newDirectory()
  const place = (name: string) => path.join(directory, name)
  expect(await fixture.refusal('export', place('a.xlsx'))).toContain('does not tell its format')
  expect(await fixture.refusal('export', place('a.parquet.gz'))).toContain('Parquet is compressed internally')
  expect(await fixture.refusal('export', place('a'), '--format', 'xml')).toContain('There is no format xml')
  expect(await fixture.refusal('export', place('a.csv'), '--of', 'accounts')).toContain(
    'watches, brands, prices',
  )
  expect(await fixture.refusal('export', place('no/such/a.csv'))).toContain('(ENOENT): choose a place')
  expect(await fixture.refusal('export', directory, '--format', 'csv')).toContain('is a directory')
  expect(await readdir(directory)).toEqual([])
})

test('without a database nothing is created', async () => {
  const fixture = await fixtureOf(sqlite, 'empty')
  const file = path.join(await newDirectory(), 'a.csv')
  expect(await fixture.refusal('export', file)).toContain('There is no database')
  expect(existsSync(file)).toBe(false)
  expect(await readdir(fixture.settings.DATA_DIR)).toEqual([])
})
