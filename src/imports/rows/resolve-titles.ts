// Makes columns for brand and reference of a column of titles, as dealers write them: each title is resolved to a watch.
// A row whose title does not clearly mean one is left out, with the watches that it may mean in the reason.
import { Failure } from '../../errors.ts'
import type { BadRecord, FileRecord, RecordBatch } from '../../files/records.ts'
import { foldLetters } from '../../specs/fold.ts'
import { cellText, isNothing, shown } from '../cells/clean-text.ts'
import { readColumnName } from '../mapping/column-names.ts'
import { namingPlaces } from './refuse-rows.ts'

/** What a title clearly says of the watch. */
interface TitledWatch {
  readonly brand: string
  readonly reference: string
  readonly specs: Readonly<Record<string, string>>
}

/** Returns what is wrong with the title if it does not clearly mean one watch. */
type ResolveTitle = (title: string, brand: string | undefined) => TitledWatch | { readonly fault: string }

export interface TitleReading {
  /** The column of the titles; undefined for the one that is named like that. */
  readonly column: string | undefined
  readonly resolve: ResolveTitle
}

/** Names of columns that have titles, the likeliest first. */
const titleNames = [
  ...['title', 'listingtitle', 'headline', 'name', 'productname', 'listing', 'description', 'item'],
  ...['product', 'watch', 'model', 'text', 'titel', 'bezeichnung', 'artikel', 'titre', 'titolo', 'titulo'],
]
/** Columns that a message names. */
const namedMax = 20
/** `126610LN (Submariner Date)`: the name of the model behind the reference. */
const remark = /^(\S*\d\S*)\s+\([^()]*\p{L}{3}[^()]*\)$/u

export async function* resolveTitles(
  batches: AsyncGenerator<RecordBatch>,
  { column, resolve }: TitleReading,
): AsyncGenerator<RecordBatch> {
  let added: AddedColumns | undefined
  for await (const batch of batches) {
    added ??= new AddedColumns(batch.columns, column)
    const bad: BadRecord[] = [...batch.bad]
    const records: FileRecord[] = []
    for (const record of batch.records) {
      const read = added.read(record, resolve)
      if ('reason' in read) bad.push(read)
      else records.push(read)
    }
    // After the records: their specs may have added columns.
    yield { ...batch, columns: added.names(batch.columns), records, bad }
  }
}

/** The specs that a title may name. */
const specKeys = ['case_diameter', 'case_material', 'dial_color', 'water_resistance']

/** Brand, reference and specs come before the columns of the file; the columns that they replace are emptied. */
class AddedColumns {
  readonly #title: number
  readonly #brand: number | undefined
  readonly #reference: number | undefined
  readonly #added: readonly string[]

  constructor(columns: readonly string[], column: string | undefined) {
    this.#title = findTitle(columns, column)
    const { brands, references } = namingPlaces(columns)
    this.#brand = brands.find((place) => place !== this.#title)
    this.#reference = references.find((place) => place !== this.#title)
    const own = new Set(columns.map((name) => readColumnName(name).to))
    this.#added = ['brand', 'reference_number', ...specKeys.filter((key) => !own.has(`specs.${key}`))]
  }

  /** A replaced column keeps its place: any record of a JSON file may add columns. */
  names(columns: readonly string[]): string[] {
    const replaced = [this.#title, this.#brand, this.#reference]
    return [
      ...this.#added,
      ...columns.map((name, place) => (replaced.includes(place) ? replacedName(place) : name)),
    ]
  }

  /** A row that has brand and reference needs no title. */
  read(record: FileRecord, resolve: ResolveTitle): FileRecord | BadRecord {
    const brand = textAt(record, this.#brand)
    const reference = textAt(record, this.#reference).replace(remark, '$1')
    const title = textAt(record, this.#title)
    if ((brand !== '' && reference !== '') || title === '')
      return this.#with(record, { brand, reference, specs: {} })
    const text = title.includes(reference) ? title : `${title} ${reference}`
    const read = resolve(text, brand === '' ? undefined : brand)
    return 'fault' in read
      ? { line: record.line, reason: read.fault, value: shown(title) }
      : this.#with(record, read)
  }

  #with({ line, columns, cells }: FileRecord, { brand, reference, specs }: TitledWatch): FileRecord {
    const replaced = [this.#title, this.#brand, this.#reference]
    const kept = [...columns.keys()].filter((at) => !replaced.includes(columns[at]))
    const own: Readonly<Record<string, string>> = { ...specs, brand, reference_number: reference }
    return {
      line,
      columns: [...this.#added.keys(), ...kept.map((at) => (columns[at] as number) + this.#added.length)],
      cells: [...this.#added.map((name) => own[name] ?? ''), ...kept.map((at) => cells[at])],
    }
  }
}

function findTitle(columns: readonly string[], column: string | undefined): number {
  const plain = columns.map((name) => foldLetters(name))
  const wanted = column === undefined ? titleNames : [foldLetters(column)]
  const place = wanted.map((name) => plain.indexOf(name)).find((at) => at !== -1)
  if (place !== undefined) return place
  const known = columns.slice(0, namedMax).join(', ')
  throw new Failure(
    column === undefined
      ? `No column is named like a title: say --resolve COLUMN. The columns are ${known}.`
      : `There is no column ${column} for --resolve: the columns are ${known}.`,
  )
}

function textAt({ columns, cells }: FileRecord, place: number | undefined): string {
  const cell = place === undefined ? undefined : cells[columns.indexOf(place)]
  return isNothing(cell) ? '' : cellText(cell).trim()
}

/** As columns without a name are called: without values, nobody is told of them. */
function replacedName(place: number): string {
  return `column_${place + 1}`
}
