// Opens the source of bytes: a file, a pipe or standard input. It rejects devices and directories, and detects a file
// that was changed while it was read.
import { createHash, type Hash } from 'node:crypto'
import { type BigIntStats, fstatSync, read as readCallback, type Stats } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { isatty } from 'node:tty'
import { promisify } from 'node:util'
import { Failure } from '../errors.ts'
import { chunkBytes } from './limits.ts'

const notReadyMs = 10

export interface Source {
  readonly name: string
  /** Undefined for a pipe. */
  readonly bytes: number | undefined
  /** The handle of a file, for formats that need random access; undefined for a pipe. */
  readonly file: FileHandle | undefined
  readonly bytesRead: () => number
  chunks(): AsyncGenerator<Buffer>
  /** Reads the rest, if any, and returns the SHA-256 of all bytes in hexadecimal. */
  digest(): Promise<string>
  /** Throws if the file has changed since it was opened. */
  checkUnchanged(): Promise<void>
  close(): Promise<void>
}

/** `name` is shown in place of the path. */
export async function openSource(path: string, name = path): Promise<Source> {
  if (path === '-' || path === '/dev/stdin') return openStandardInput()
  refuseKind(path, await stat(path).catch(unreadable(path)))
  const file = await open(path, 'r').catch(unreadable(path))
  const stats = await file.stat({ bigint: true })
  if (stats.isFile()) return fileSource(name, file, stats)
  return pipeSource(
    name,
    (chunk) => file.read(chunk, 0, chunk.length, null),
    () => file.close(),
  )
}

function unreadable(path: string): (error: NodeJS.ErrnoException) => never {
  return ({ code }) => {
    if (code === 'ENOENT' || code === 'ENOTDIR')
      throw new Failure(`There is no file ${path}: check its name.`)
    if (code === 'EACCES' || code === 'EPERM')
      throw new Failure(`${path} may not be read by this user: change its permissions.`)
    throw new Failure(`Cannot read ${path} (${code}): choose another file.`)
  }
}

function refuseKind(name: string, stats: Stats): void {
  if (stats.isFile() || stats.isFIFO()) return
  const kind = stats.isDirectory() ? 'a directory' : stats.isSocket() ? 'a socket' : 'a device'
  throw new Failure(`${name} is ${kind}: name a file of records.`)
}

function fileSource(name: string, file: FileHandle, opened: BigIntStats): Source {
  const bytes = Number(opened.size)
  let position = 0
  const hash = createHash('sha256')
  const changed = () => new Failure(`${name} was changed while it was read: run again when it is complete.`)
  async function* chunks(): AsyncGenerator<Buffer> {
    // Read only up to the size at opening: a file that grows as fast as it is read would never end.
    while (position < bytes) {
      const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes - position))
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
      if (bytesRead === 0) throw changed()
      position += bytesRead
      hash.update(chunk.subarray(0, bytesRead))
      yield chunk.subarray(0, bytesRead)
    }
  }
  return {
    name,
    bytes,
    file,
    bytesRead: () => position,
    chunks,
    digest: () => digestOf(chunks(), hash),
    async checkUnchanged() {
      const { size, mtimeNs } = await file.stat({ bigint: true })
      if (size !== opened.size || mtimeNs !== opened.mtimeNs) throw changed()
    },
    close: () => file.close(),
  }
}

function openStandardInput(): Source {
  const stats = fstatSync(0)
  // Some shells and most programs connect two processes by a socket.
  if (!isatty(0) && !stats.isSocket()) refuseKind('stdin', stats)
  return pipeSource('stdin', readWhenReady, async () => undefined)
}

const readFd = promisify(readCallback)

/**
 * Reads by file descriptor: in a worker thread, `process.stdin` is a different stream, and empty. Retries on EAGAIN: the
 * process at the other end may have made the pipe non-blocking.
 */
async function readWhenReady(chunk: Buffer<ArrayBuffer>): Promise<{ bytesRead: number }> {
  for (;;) {
    try {
      return await readFd(0, chunk, 0, chunk.length, null)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return { bytesRead: 0 }
      if (code !== 'EAGAIN') throw error
      await delay(notReadyMs)
    }
  }
}

/** `read` fills the chunk from its start, and has read 0 bytes at the end. */
function pipeSource(name: string, read: typeof readWhenReady, close: () => Promise<void>): Source {
  let position = 0
  const hash = createHash('sha256')
  async function* chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const chunk = Buffer.allocUnsafeSlow(chunkBytes)
      const { bytesRead } = await read(chunk)
      if (bytesRead === 0) return
      position += bytesRead
      hash.update(chunk.subarray(0, bytesRead))
      yield chunk.subarray(0, bytesRead)
    }
  }
  return {
    name,
    bytes: undefined,
    file: undefined,
    bytesRead: () => position,
    chunks,
    digest: () => digestOf(chunks(), hash),
    checkUnchanged: async () => undefined,
    close,
  }
}

async function digestOf(rest: AsyncGenerator<Buffer>, hash: Hash): Promise<string> {
  for await (const _ of rest);
  return hash.copy().digest('hex')
}
