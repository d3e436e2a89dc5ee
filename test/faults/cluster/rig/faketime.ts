// Gives a process a wrong clock, with libfaketime.
import { globSync } from 'node:fs'
import type { Environment } from '../../../../src/config.ts'
import { obtainBinary } from '../../../programs/obtain-binary.ts'
import { RowSkipped } from '../fault.ts'

/** Returns the environment of a process whose clock is off by `offset`, such as `+90s`. Its timers are not affected. */
export async function wrongClock(offset: string): Promise<Environment> {
  const binary = await obtainBinary({ names: ['faketime'] }, 'faketime')
  if (!binary.found) throw new RowSkipped(`faketime is missing: ${binary.reason}`)
  const [library] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')
  if (library === undefined) throw new RowSkipped('libfaketime is missing')
  return {
    LD_PRELOAD: library,
    FAKETIME: offset,
    // The first name is that of older versions.
    DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  }
}
