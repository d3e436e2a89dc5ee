// Counts and stages the deletion of the watches of the catalogue that no file of the import has.
import type { StagedRun } from '../../catalogue/runs/staged-run.ts'
import type { Reader } from '../../storage/database.ts'
import type { DraftResolver } from './resolve-drafts.ts'

const batchRows = 1_000

export async function countMissing(reader: Reader, resolver: DraftResolver): Promise<number> {
  let count = 0
  for await (const _ of resolver.eachMissing(reader)) count++
  return count
}

export async function pruneMissing(
  run: StagedRun,
  resolver: DraftResolver,
  brandName: (id: number) => string,
): Promise<void> {
  const stage = async (ids: readonly number[]) => run.delete(await run.readWatches(ids), brandName)
  let missing: number[] = []
  for await (const id of resolver.eachMissing(run.database.reader)) {
    missing.push(id)
    if (missing.length < batchRows) continue
    await stage(missing)
    missing = []
  }
  await stage(missing)
}
