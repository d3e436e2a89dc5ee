// Mounts a small file system in memory, and fills and frees it. Needs root.
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { findBinary } from '../../../programs/binaries.ts'
import { RowSkipped } from '../fault.ts'

export interface SmallDisk {
  /** Leaves no byte free. */
  fill(): void
  free(): void
  close(): void
}

const sizeMb = 220
const pieceBytes = 65_536

export function openSmallDisk(directory: string): SmallDisk {
  const [mount, umount] = [findBinary({ names: ['mount'] }), findBinary({ names: ['umount'] })]
  if (mount === undefined || umount === undefined) throw new RowSkipped('there is no mount here')
  const mounted = spawnSync(mount, ['-t', 'tmpfs', '-o', `size=${sizeMb}m`, 'watchdata', directory])
  if (mounted.status !== 0) throw new RowSkipped(`a disk cannot be mounted: ${mounted.stderr}`)
  const filler = path.join(directory, 'filler')
  const close = () => {
    process.off('exit', close)
    spawnSync(umount, ['--lazy', directory])
  }
  process.prependListener('exit', close)
  return {
    fill() {
      for (const bytes of [pieceBytes, 1]) fillWith(filler, Buffer.alloc(bytes))
    },
    free: () => rmSync(filler, { force: true }),
    close,
  }
}

function fillWith(file: string, piece: Buffer): void {
  try {
    for (let written = 0; written <= sizeMb * 1e6; written += piece.length) {
      writeFileSync(file, piece, { flag: 'a' })
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  }
}
