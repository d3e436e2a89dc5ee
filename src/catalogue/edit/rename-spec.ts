// Renames a spec key in every watch that has it. The key keeps its position in the document, unless it looks like a
// number: such keys come first.
import { Failure } from '../../errors.ts'
import { type BulkEditParts, changeSpecs } from './change-specs.ts'
import { mayHaveKey, readMembers, writeChangedMembers } from './spec-members.ts'
import { watchPagesWithProgress } from './watch-pages.ts'
import { checkSpecKey } from './watch-rules.ts'

/** Which key's value stays in a watch that has both keys. */
export type Kept = 'old' | 'new'

export interface SpecRename {
  readonly from: string
  readonly to: string
  readonly kept: Kept | undefined
}

export interface RenameResult {
  /** Watches that changed. */
  readonly watches: number
  /** Of those, how many had both keys. */
  readonly withBoth: number
}

/** Throws, before anything is written, if watches have both keys and `kept` is undefined. */
export async function renameSpec(parts: BulkEditParts, rename: SpecRename): Promise<RenameResult> {
  const { from, to, kept } = rename
  checkSpecKey(to)
  if (from === to) throw new Failure(`The key is already called ${to}: give another name.`)
  const found = await countWith(parts, from, to)
  if (found.withBoth > 0 && kept === undefined) {
    const watches =
      found.withBoth === 1 ? '1 watch has' : `${found.withBoth.toLocaleString('en-US')} watches have`
    throw new Failure(
      `${watches} both ${from} and ${to}: say --keep old or --keep new to choose which value stays.`,
    )
  }
  if (found.withOld === 0) return { watches: 0, withBoth: 0 }
  const watches = await changeSpecs(parts, (specs) => renameIn(specs, rename))
  return { watches, withBoth: found.withBoth }
}

function renameIn(specs: string, { from, to, kept }: SpecRename): string {
  if (!mayHaveKey(specs, from)) return specs
  const members = readMembers(specs)
  if (!members.some(({ key }) => key === from)) return specs
  const hasBoth = members.some(({ key }) => key === to)
  const staying = hasBoth ? members.filter(({ key }) => key !== (kept === 'old' ? to : from)) : members
  return writeChangedMembers(
    staying.map((member) =>
      member.key === from ? { ...member, key: to, keyText: JSON.stringify(to) } : member,
    ),
  )
}

async function countWith({ database, onProgress }: BulkEditParts, from: string, to: string) {
  let [withOld, withBoth] = [0, 0]
  for await (const rows of watchPagesWithProgress(database.reader, onProgress)) {
    for (const { specs } of rows) {
      if (!mayHaveKey(specs, from)) continue
      const keys = new Set(readMembers(specs).map(({ key }) => key))
      if (!keys.has(from)) continue
      withOld++
      if (keys.has(to)) withBoth++
    }
  }
  return { withOld, withBoth }
}
