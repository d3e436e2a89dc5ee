// Counts the specs of existing watches whose new value is of another kind than the stored one, such as a text where a
// list was, or a thousandth of it. In an edited spreadsheet that is often a slip.
import type { FieldChanges } from '../../catalogue/field-changes.ts'
import type { KindChange, SpecKind } from '../import-options.ts'

/** Keys of specs are chosen by operators, and a file may have any number of them. */
const changesMax = 1_000

export class KindChanges {
  readonly #changes = new Map<string, KindChange>()

  add({ fields }: FieldChanges): void {
    for (const [to, { old, new: now }] of Object.entries(fields)) {
      // A spec that is added or removed has no kind on one side.
      if (!to.startsWith('specs.') || old === null || now === null) continue
      const [kind, newKind] = [kindOf(old), isThousandth(now, old) ? 'thousandth' : kindOf(now)]
      if (kind !== newKind) this.#count(to, kind, newKind, now)
    }
  }

  get all(): readonly KindChange[] {
    return [...this.#changes.values()]
  }

  #count(to: string, was: SpecKind, now: SpecKind, sample: unknown): void {
    const id = `${was} ${now} ${to}`
    const known = this.#changes.get(id)
    if (known !== undefined) known.count++
    else if (this.#changes.size < changesMax) this.#changes.set(id, { to, was, now, count: 1, sample })
  }
}

/** Whether a spreadsheet with points between thousands may have made the new number out of the stored one. */
function isThousandth(now: unknown, old: unknown): boolean {
  return typeof now === 'number' && typeof old === 'number' && now > 0 && old === Math.round(now * 1_000)
}

function kindOf(value: unknown): SpecKind {
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'number') return 'number'
  return typeof value === 'boolean' ? 'boolean' : 'object'
}
