// Writes bytes that come through a pipe to a temporary file, for formats that are read from their end.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Failure } from '../errors.ts'
import { spooledBytesMax } from './limits.ts'

export async function spool(
  name: string,
  chunks: AsyncIterable<Buffer>,
): Promise<{ handle: FileHandle; bytes: number }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'watchdata-'))
  const handle = await open(path.join(folder, 'spooled'), 'wx+', 0o600)
  try {
    // The open handle keeps the bytes; without a name, nothing is left behind if the process is killed.
    await rm(folder, { recursive: true })
    let bytes = 0
    for await (const chunk of chunks) {
      bytes += chunk.length
      if (bytes > spooledBytesMax) {
        throw new Failure(`${name} has more than ${spooledBytesMax / 1024 ** 3} GB: save it to a file first.`)
      }
      await handle.appendFile(chunk)
    }
    return { handle, bytes }
  } catch (error) {
    await handle.close()
    throw error
  }
}
