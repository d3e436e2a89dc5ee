// Edits single fields of a watch by hand: parses texts such as `collection=Seamaster` and `specs.dial_color`, and
// applies them to the watch.
import { recordChanges } from '../../changes/log.ts'
import type { Clock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import { findNearest } from '../../specs/near-texts.ts'
import type { Database } from '../../storage/database.ts'
import { type FieldChange, findChanges, type WatchFields } from '../field-changes.ts'
import type { BrandFinder } from '../find-brand.ts'
import type { Price } from '../prices.ts'
import { updateWatches } from '../update-watches.ts'
import { readWatchesForUpdate, type WatchRow } from '../watches.ts'
import { operatorSource } from './change-specs.ts'
import { getBrand } from './get-brand.ts'
import { newMember, readMembers, type SpecMember, writeChangedMembers } from './spec-members.ts'
import { parseSpecValue } from './spec-value.ts'
import { checkedName, checkedText, checkSpecKey, parsePrice, shortened } from './watch-rules.ts'

/** Returns the fields of a watch after the edit. */
export type WatchEdit = (fields: WatchFields) => WatchFields

export interface EditedField extends FieldChange {
  readonly field: string
}

const specPrefix = 'specs.'

interface Field {
  set(raw: string, finder: BrandFinder): Partial<WatchFields>
  /** Absent if a watch must have the field. */
  readonly unset?: Partial<WatchFields>
}

const fields: Readonly<Record<string, Field>> = {
  brand: { set: (raw, finder) => ({ brand_id: getBrand(finder, raw).id }) },
  collection: { set: (raw) => ({ collection: checkedText('collection', raw) }), unset: { collection: '' } },
  reference_number: { set: (raw) => ({ reference_number: checkedName('reference_number', raw) }) },
  retail_price_usd: priceField('retail_price_usd'),
  current_market_price: priceField('current_market_price'),
}

function priceField(name: keyof Price): Field {
  return { set: (raw) => ({ [name]: parsePrice(name, raw) }), unset: { [name]: null } }
}

/**
 * `set` are texts such as `collection=Seamaster`, `unset` are names of fields. Each field may be named once. `specs` is
 * the current document of the watch, whose keys may contain a `=`.
 */
export function parseWatchEdit(
  set: readonly string[],
  unset: readonly string[],
  finder: BrandFinder,
  specs = '{}',
): WatchEdit {
  if (set.length + unset.length === 0) {
    throw new Failure('Nothing is to be changed: say --set field=value or --unset field.')
  }
  const keys = readMembers(specs).map(({ key }) => key)
  const pairs = set.map((raw) => parsePair(raw, keys))
  failOnRepeats([...pairs.map(([field]) => field), ...unset])
  const edits = [...pairs.map(([field, raw]) => parseSet(field, raw, finder)), ...unset.map(parseUnset)]
  return (before) => edits.reduce((edited, edit) => edit(edited), before)
}

/** Lists all changed fields for display, prices included. */
export function listEdits(
  before: WatchFields,
  after: WatchFields,
  brandName: (id: number) => string,
): EditedField[] {
  const changes = findChanges(before, after, brandName)
  const edited = Object.entries(changes?.fields ?? {}).map(([field, change]) => ({ field, ...change }))
  for (const field of ['retail_price_usd', 'current_market_price'] as const) {
    if (before[field] !== after[field]) edited.push({ field, old: before[field], new: after[field] })
  }
  return edited
}

/** Writes the edit and returns the watch before it; undefined if the watch was deleted. */
export function editWatch(
  { database, clock, finder }: { database: Database; clock: Clock; finder: BrandFinder },
  id: number,
  edit: WatchEdit,
): Promise<WatchRow | undefined> {
  const brandName = (brandId: number) => finder.name(brandId)
  return recordChanges(database, clock, async (tx, record) => {
    const [row] = await readWatchesForUpdate(tx, [id])
    if (row === undefined) return undefined
    await updateWatches({ tx, engine: database.engine, clock, record, brandName, source: operatorSource }, [
      { row, next: edit(row) },
    ])
    return row
  })
}

function parsePair(raw: string, keys: readonly string[]): [field: string, value: string] {
  const named = keys
    .map((key) => specPrefix + key)
    .filter((field) => raw.startsWith(`${field}=`))
    .reduce((longest, field) => (field.length > longest.length ? field : longest), '')
  if (named !== '') return [named, raw.slice(named.length + 1)]
  const at = raw.indexOf('=')
  if (at > 0) return [raw.slice(0, at).trim(), raw.slice(at + 1)]
  throw new Failure(`${shortened(raw)} has no =: write it as field=value.`)
}

function failOnRepeats(names: readonly string[]): void {
  const repeated = names.find((name, at) => names.indexOf(name) !== at)
  if (repeated !== undefined) throw new Failure(`${repeated} is named twice: keep one of the two.`)
}

function parseSet(field: string, raw: string, finder: BrandFinder): WatchEdit {
  if (field.startsWith(specPrefix)) {
    const member = newMember(specKeyOf(field), parseSpecValue(raw))
    return (before) => ({ ...before, specs: withMember(before.specs, member) })
  }
  const change = getField(field).set(raw, finder)
  return (before) => ({ ...before, ...change })
}

function parseUnset(field: string): WatchEdit {
  if (field.startsWith(specPrefix)) {
    const key = specKeyOf(field)
    return (before) => ({ ...before, specs: withoutKey(before.specs, key) })
  }
  const change = getField(field).unset
  if (change === undefined) throw new Failure(`A watch must have a ${field}: set another one instead.`)
  return (before) => ({ ...before, ...change })
}

function specKeyOf(field: string): string {
  const key = field.slice(specPrefix.length)
  checkSpecKey(key)
  return key
}

function getField(name: string): Field {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  if (field !== undefined) return field
  const names = [...Object.keys(fields), 'specs.<key>']
  throw new Failure(
    `A watch has no field ${shortened(name)}: write ${findNearest(name, names) ?? names.join(', ')}.`,
  )
}

/** Replaces the member in place, or adds it at the end if it is new. */
function withMember(specs: string, member: SpecMember): string {
  const members = readMembers(specs)
  const at = members.findIndex(({ key }) => key === member.key)
  return writeChangedMembers(at === -1 ? [...members, member] : members.with(at, member))
}

function withoutKey(specs: string, key: string): string {
  return writeChangedMembers(readMembers(specs).filter((member) => member.key !== key))
}
