// Opens a copy for one process at a time. A copy of another service is refused.
import { realpathSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { tryFileLock } from '../../storage/file-lock.ts'
import type { Copy } from './copy.ts'
import { openFileCopy } from './file-copy.ts'
import type { Connection } from './open-connection.ts'
import { openSqliteCopy } from './sqlite-copy.ts'
import { withSqliteFailure } from './sqlite-failure.ts'
import type { SyncPlan } from './sync-options.ts'

const testKeyPrefix = 'wd_test_'
const sampleMark = '#sample'

/** The origin of a copy. A test key reads the sample catalogue, whatever the service publishes. */
export function originOf({ api, key }: Pick<SyncPlan, 'api' | 'key'>): string {
  return key.startsWith(testKeyPrefix) ? api + sampleMark : api
}

/** Opens the copy for `work`, and closes it in any case. */
export async function withCopy<T>(
  plan: SyncPlan,
  { signal }: Connection,
  work: (copy: Copy) => Promise<T>,
): Promise<T> {
  const file = realFile(plan.file)
  const lockFile = `${file}.sync-lock`
  const lock = withSqliteFailure(lockFile, () => tryFileLock(lockFile))
  if (lock === undefined)
    throw new Failure(`Another run of watchdata sync writes to ${plan.file}: wait until it ends.`)
  let copy: Copy | undefined
  try {
    const parts = { signal, clock: systemClock }
    copy = plan.format === 'sqlite' ? openSqliteCopy(file, parts) : await openFileCopy(file, parts)
    refuseOther(copy, plan)
    return await work(copy)
  } finally {
    copy?.close()
    // Where there is a copy the file stays: another run may be about to lock it.
    if (copy?.state === undefined) rmSync(lockFile, { force: true })
    lock.release()
  }
}

/** One file, whatever the links that lead to it. */
function realFile(file: string): string {
  const folder = path.dirname(file)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
    throw new Failure(`There is no folder ${folder}: create it, or choose another place.`)
  }
  return statSync(file, { throwIfNoEntry: false }) === undefined
    ? path.join(realpathSync(folder), path.basename(file))
    : realpathSync(file)
}

function refuseOther({ state }: Copy, plan: SyncPlan): void {
  const origin = originOf(plan)
  if (state === undefined || state.url === origin) return
  throw new Failure(
    `${plan.file} is a copy of ${described(state.url)}, not of ${described(origin)}: choose another file for this one.`,
  )
}

function described(url: string): string {
  return url.endsWith(sampleMark) ? `the sample catalogue of ${url.slice(0, -sampleMark.length)}` : url
}
