// Opens the source of bytes: a file, a pipe or standard input. It rejects devices and directories, and detects a file
// that was changed while it was read.
import { fstatSync, read as readCallback, type Stats } from 'node:fs'
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
  /** Throws if the file has changed since it was opened. */
  checkUnchanged(): Promise<void>
  close(): Promise<void>
}

export async function openSource(path: string): Promise<Source> {
  if (path === '-' || path === '/dev/stdin') return openStandardInput()
  refuseKind(path, await lookAt(path))
  const file = await openFile(path)
  const stats = await file.stat({ bigint: true })
  return stats.isFile() ? fileSource(path, file, stats) : pipeSource(path, file)
}

async function lookAt(path: string): Promise<Stats> {
  try {
    return await stat(path)
  } catch (error) {
    throw unreadable(path, error)
  }
}

async function openFile(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    throw unreadable(path, error)
  }
}

function unreadable(path: string, error: unknown): Failure {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT' || code === 'ENOTDIR') return new Failure(`There is no file ${path}: check its name.`)
  if (code === 'EACCES' || code === 'EPERM') {
    return new Failure(`${path} may not be read by this user: change its permissions.`)
  }
  return new Failure(`Cannot read ${path} (${code}): choose another file.`)
}

function refuseKind(name: string, stats: Stats): void {
  if (stats.isFile() || stats.isFIFO()) return
  const kind = stats.isDirectory() ? 'a directory' : stats.isSocket() ? 'a socket' : 'a device'
  throw new Failure(`${name} is ${kind}: name a file of records.`)
}

interface Stamp {
  readonly size: bigint
  readonly mtimeNs: bigint
}

function fileSource(name: string, file: FileHandle, stamp: Stamp): Source {
  const bytes = Number(stamp.size)
  let position = 0
  const changed = () => new Failure(`${name} was changed while it was read: run again when it is complete.`)
  return {
    name,
    bytes,
    file,
    bytesRead: () => position,
    async *chunks() {
      // Read only up to the size at opening: a file that grows as fast as it is read would never end.
      while (position < bytes) {
        const chunk = Buffer.allocUnsafeSlow(Math.min(chunkBytes, bytes - position))
        const { bytesRead } = await file.read(chunk, 0, chunk.length, position)
        if (bytesRead === 0) throw changed()
        position += bytesRead
        yield chunk.subarray(0, bytesRead)
      }
    },
    async checkUnchanged() {
      const { size, mtimeNs } = await file.stat({ bigint: true })
      if (size !== stamp.size || mtimeNs !== stamp.mtimeNs) throw changed()
    },
    close: () => file.close(),
  }
}

function pipeSource(name: string, file: FileHandle): Source {
  async function* read(): AsyncGenerator<Buffer> {
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafeSlow(chunkBytes), 0, chunkBytes, null)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  }
  return streamSource(name, read, () => file.close())
}

function openStandardInput(): Source {
  const stats = fstatSync(0)
  // Some shells and most programs connect two processes by a socket.
  if (!isatty(0) && !stats.isSocket()) refuseKind('stdin', stats)
  // Read by file descriptor: in a worker thread, `process.stdin` is a different stream, and empty.
  async function* read(): AsyncGenerator<Buffer> {
    for (;;) {
      const { bytesRead, buffer } = await readWhenReady(Buffer.allocUnsafeSlow(chunkBytes))
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  }
  return streamSource('stdin', read, async () => undefined)
}

const readFd = promisify(readCallback)

/** Retries on EAGAIN: the process at the other end may have made the pipe non-blocking. */
async function readWhenReady(buffer: Buffer<ArrayBuffer>): Promise<{ bytesRead: number; buffer: Buffer }> {
  for (;;) {
    try {
      return await readFd(0, buffer, 0, buffer.length, null)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') return { bytesRead: 0, buffer }
      if (code !== 'EAGAIN') throw error
      await delay(notReadyMs)
    }
  }
}

function streamSource(name: string, read: () => AsyncGenerator<Buffer>, close: () => Promise<void>): Source {
  let position = 0
  return {
    name,
    bytes: undefined,
    file: undefined,
    bytesRead: () => position,
    async *chunks() {
      for await (const chunk of read()) {
        position += chunk.length
        yield chunk
      }
    },
    checkUnchanged: async () => undefined,
    close,
  }
}
