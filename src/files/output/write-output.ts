// Writes output to stdout, to a pipe or device, or to a file. A file appears under its name only when it is complete
// and synced to disk; an earlier file of that name stays until then.
import { type FileHandle, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, createZstdCompress } from 'node:zlib'
import { Failure } from '../../errors.ts'
import type { OutputFormat } from './write-format.ts'

type Chunks = AsyncIterable<string | Uint8Array>
type Compression = OutputFormat['compression']

/** Writes all chunks and returns the number of bytes written, after compression. `-` is stdout. */
export async function writeOutput(file: string, compression: Compression, chunks: Chunks): Promise<number> {
  if (file === '-') return writeTo(writeToStdout, compression, chunks)
  const place = await findPlace(file)
  return place.isFile
    ? writeWhole(file, place.path, compression, chunks)
    : writeThrough(file, compression, chunks)
}

async function writeWhole(
  file: string,
  target: string,
  compression: Compression,
  chunks: Chunks,
): Promise<number> {
  const partial = `${target}.partial`
  await rm(partial, { force: true }).catch(cannotWrite(file))
  // Created exclusively, so that two processes with the same target never write into the same file.
  const handle = await open(partial, 'wx').catch(cannotWrite(file))
  const { ino } = await handle.stat()
  const isOurs = async () => (await stat(partial).catch(() => undefined))?.ino === ino
  try {
    const bytes = await writeTo(writerTo(file, handle), compression, chunks)
    await handle.sync().catch(cannotWrite(file))
    await handle.close()
    if (!(await isOurs())) throw new Failure(`Another process writes ${file} as well: choose another name.`)
    await rename(partial, target).catch(cannotWrite(file))
    return bytes
  } catch (error) {
    await handle.close()
    if (await isOurs()) await rm(partial, { force: true })
    throw error
  }
}

/** Writes to a pipe or a device directly: renaming would replace it by a file. */
async function writeThrough(file: string, compression: Compression, chunks: Chunks): Promise<number> {
  const handle = await open(file, 'w').catch(cannotWrite(file))
  try {
    return await writeTo(writerTo(file, handle), compression, chunks)
  } finally {
    await handle.close()
  }
}

type Write = (bytes: Uint8Array) => Promise<void>

async function writeTo(write: Write, compression: Compression, chunks: Chunks): Promise<number> {
  let count = 0
  const writeAll = async (source: Chunks) => {
    for await (const chunk of source) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
      count += bytes.length
      await write(bytes)
    }
  }
  if (compression === undefined) await writeAll(chunks)
  else {
    const compress = compression === 'gzip' ? createGzip() : createZstdCompress()
    await pipeline(Readable.from(chunks), compress, writeAll)
  }
  return count
}

function writerTo(file: string, handle: FileHandle): Write {
  return (bytes) => handle.writeFile(bytes).catch(cannotWrite(file))
}

function writeToStdout(bytes: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  process.stdout.write(bytes, (error) => (error ? reject(error) : resolve()))
  return promise
}

async function findPlace(file: string): Promise<{ path: string; isFile: boolean }> {
  const found = await stat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') cannotWrite(file)(error)
    return undefined
  })
  if (found?.isDirectory()) throw new Failure(`${file} is a directory: name a file in it.`)
  // /dev/stdout may lead to a pipe, which must never be replaced by a file.
  if (found !== undefined && !found.isFile()) return { path: file, isFile: false }
  // Replace or create the target of a symbolic link, not the link.
  if (found !== undefined) return { path: await realpath(file), isFile: true }
  const target = await readlink(file).catch(() => undefined)
  return { path: target === undefined ? file : path.resolve(path.dirname(file), target), isFile: true }
}

function cannotWrite(file: string): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    throw new Failure(`Cannot write ${file} (${code}): choose a place that can be written.`)
  }
}
