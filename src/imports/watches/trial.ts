// Holds the watches that a dry run would have created, so that rows of later files match them as in a real run.
import type { WatchFields } from '../../catalogue/field-changes.ts'
import type { WatchRow } from '../../catalogue/watches.ts'
import { newId } from '../identities.ts'
import { fieldsOf } from './next-fields.ts'
import type { Creation, Resolved } from './resolve-drafts.ts'

interface TrialUpdate {
  readonly identity: string
  readonly row: WatchRow
  readonly next: WatchFields
}

/** Beyond this many watches, a row of a later file counts as unchanged. */
const keptMax = 50_000

export class Trial {
  readonly #rows = new Map<string, WatchRow>()

  find({ identity, draft, brand }: Resolved): WatchRow {
    const number = brand.id ?? brand.number
    return this.#rows.get(identity) ?? this.#keep(identity, rowOf(fieldsOf(draft, number)))
  }

  add(creations: readonly Creation[], updates: readonly TrialUpdate[]): void {
    for (const { identity, draft, brand } of creations) {
      this.#keep(identity, rowOf(fieldsOf(draft, brand.id ?? brand.number)))
    }
    // Only watches that this dry run would create are kept; stored watches are read from the database.
    for (const { identity, row, next } of updates) {
      if (row.id === newId) this.#keep(identity, rowOf(next))
    }
  }

  #keep(identity: string, row: WatchRow): WatchRow {
    if (this.#rows.size < keptMax || this.#rows.has(identity)) this.#rows.set(identity, row)
    return row
  }
}

function rowOf(fields: WatchFields): WatchRow {
  return { ...fields, id: newId, updated_at: '' }
}
