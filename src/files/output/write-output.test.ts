import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { Failure } from '../../errors.ts'
import { writeOutput } from './write-output.ts'

async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'watchdata-output-'))
  onTestFinished(() => rm(directory, { recursive: true, force: true }))
  return directory
}

async function* chunks(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

test('the file has all chunks, and its size is returned', async () => {
  const file = path.join(await newDirectory(), 'a')
  expect(await writeOutput(file, undefined, chunks('één ', '', '😀'))).toBe(10)
  expect(await readFile(file, 'utf8')).toBe('één 😀')
})

test('compressed files unpack to the same, and their compressed size is returned', async () => {
  const directory = await newDirectory()
  const [gzip, zstd] = [path.join(directory, 'a.gz'), path.join(directory, 'a.zst')]
  const text = 'the same again. '.repeat(100_000)
  const bytes = await writeOutput(gzip, 'gzip', chunks(text, text))
  expect((await stat(gzip)).size).toBe(bytes)
  expect(gunzipSync(await readFile(gzip)).toString()).toBe(text + text)
  await writeOutput(zstd, 'zstd', chunks(text, text))
  expect(zstdDecompressSync(await readFile(zstd)).toString()).toBe(text + text)
})

test('an earlier file stays until the new one is whole', async () => {
  const file = path.join(await newDirectory(), 'a')
  await writeFile(file, 'earlier')
  async function* slowly() {
    yield 'new'
    expect(await readFile(file, 'utf8')).toBe('earlier')
    yield 'er'
  }
  await writeOutput(file, undefined, slowly())
  expect(await readFile(file, 'utf8')).toBe('newer')
})

test.each([[undefined], ['gzip'], ['zstd']] as const)(
  'a failed write (%s) leaves the earlier file and nothing else',
  async (compression) => {
    const directory = await newDirectory()
    const file = path.join(directory, 'a')
    await writeFile(file, 'earlier')
    async function* failing() {
      yield 'half of it'
      throw new Error('the database is gone')
    }
    await expect(writeOutput(file, compression, failing())).rejects.toThrow('the database is gone')
    expect(await readdir(directory)).toEqual(['a'])
    expect(await readFile(file, 'utf8')).toBe('earlier')
  },
)

test('a partial file of a killed run is replaced', async () => {
  const file = path.join(await newDirectory(), 'a')
  await writeFile(`${file}.partial`, 'much that was written before the power went')
  await writeOutput(file, undefined, chunks('new'))
  expect(await readFile(file, 'utf8')).toBe('new')
  expect(existsSync(`${file}.partial`)).toBe(false)
})

test('of two writers to the same file, the later one wins and the other fails', async () => {
  const file = path.join(await newDirectory(), 'a')
  async function* interrupted() {
    yield 'first, '
    await writeOutput(file, undefined, chunks('second'))
    yield 'and more of the first'
  }
  await expect(writeOutput(file, undefined, interrupted())).rejects.toThrow(/Another process writes/)
  expect(await readFile(file, 'utf8')).toBe('second')
})

test('writing through a symbolic link replaces its target', async () => {
  const directory = await newDirectory()
  const [file, link] = [path.join(directory, 'a'), path.join(directory, 'link')]
  await writeFile(file, 'earlier')
  await symlink(file, link)
  await writeOutput(link, undefined, chunks('new'))
  expect(await readFile(file, 'utf8')).toBe('new')
  expect(await readdir(directory)).toEqual(['a', 'link'])
})

test('a device is written to, not replaced', async () => {
  expect(await writeOutput('/dev/null', undefined, chunks('gone'))).toBe(4)
  expect((await stat('/dev/null')).isCharacterDevice()).toBe(true)
  await expect(writeOutput('/dev/full', undefined, chunks('too much'))).rejects.toThrow(/ENOSPC/)
})

test('a path that cannot be written is reported in one sentence', async () => {
  const directory = await newDirectory()
  const write = (file: string) => writeOutput(file, undefined, chunks('x'))
  await expect(write(directory)).rejects.toThrow(/is a directory/)
  const missing = path.join(directory, 'in', 'no', 'directory')
  await expect(write(missing)).rejects.toThrow(/Cannot write .* \(ENOENT\): choose a place/)
  await expect(write(missing)).rejects.toThrow(Failure)
  await mkdir(path.join(directory, 'a'))
  await writeFile(path.join(directory, 'file'), '')
  await expect(write(path.join(directory, 'file', 'below'))).rejects.toThrow(/ENOTDIR/)
  if (process.getuid?.() === 0) return
  await chmod(path.join(directory, 'a'), 0o500)
  await expect(write(path.join(directory, 'a', 'b'))).rejects.toThrow(/EACCES/)
})
