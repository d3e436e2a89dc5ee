// Finds the columns of a CSV that are pairs of name and value: `Attribute 1 name` and `Attribute 1 value(s)`, or
// `attributes/0/key` and `attributes/0/value` of scrapers, which flatten lists.
import { isNothing } from '../cells/clean-text.ts'
import { nameOf, noOption } from './list-pairs.ts'
import { attributesHolder, type NamedCell } from './named-cells.ts'

/** A column of names, and the column of their values. */
interface NumberedPair {
  readonly name: number
  readonly value: number
  /** Other columns of the attribute, which only say how a shop shows it. */
  readonly others: readonly number[]
}

const numbered =
  /^(attribut[eo]?|option|spec|specification|property|feature|merkmal|eigenschaft)[ _]?(\d+)[ _]?(.+)$/i
const flattened = /^(.+?)[/.](\d+)[/.]([^/.]+)$/s
const saysName = /^(?:name|nom|nombre|nome|label|title|bezeichnung)$/i
/** The name of a pair that has no better one. */
const saysKey = /^(?:key|slug|id)$/i
const saysValue =
  /^(?:values?|value\(s\)|werte?|wert\(e\)|valeurs?|valeur\(s\)|valor(?:es)?|valor\(es\)|valor[ei]|valore\/i)$/i
const saysShown = /^(?:visible|global|default|sichtbar|standard|linked to)$/i
/** `Option Name 1` of Squarespace, `additionalInfoTitle1` and `additionalInfoDescription1` of Wix. */
const numberedBehind = /^(option|additional[ _]?info)[ _]?(name|title|value|description)[ _]?(\d+)$/i

export function numberedPairs(columns: readonly string[]): NumberedPair[] {
  const parts = columns.flatMap((column, at) => {
    const [, holder, number, says = ''] =
      numbered.exec(column) ?? flattened.exec(withoutBrackets(column)) ?? partsBehind(column)
    return holder === undefined ? [] : [{ attribute: `${holder} ${number}`.toLowerCase(), says, at }]
  })
  return [...Map.groupBy(parts, ({ attribute }) => attribute).values()].flatMap((same) => {
    const keys = same.filter(({ says }) => saysKey.test(says))
    const [name = keys.find(({ says }) => says.toLowerCase() === 'key')] = same.filter(({ says }) =>
      saysName.test(says),
    )
    const [value] = same.filter(({ says }) => saysValue.test(says))
    const others = [...keys, ...same.filter(({ says }) => saysShown.test(says))].map(({ at }) => at)
    return name === undefined || value === undefined ? [] : [{ name: name.at, value: value.at, others }]
  })
}

function partsBehind(column: string): readonly (string | undefined)[] {
  const [whole, holder, says, number] = numberedBehind.exec(column) ?? []
  return [whole, holder, number, says?.toLowerCase() === 'description' ? 'value' : says]
}

/** `attributes[0].name` is `attributes.0.name`. */
function withoutBrackets(column: string): string {
  return column.replace(/\[(\d+)\]\.?/g, '.$1.')
}

/** Moves the values of numbered pairs to columns of their own. The columns of the file stay, and are empty. */
export function spreadNumbered(
  cells: readonly NamedCell[],
  pairs: readonly NumberedPair[],
  canAdd: (cells: readonly NamedCell[]) => boolean,
): NamedCell[] {
  const byColumn = new Map(cells.map(({ column, cell }) => [column, cell]))
  const emptied = new Set<number | undefined>()
  const made: NamedCell[] = []
  for (const { name, value, others } of pairs) {
    const [attribute, cell] = [nameOf(byColumn.get(name)), byColumn.get(value)]
    if (attribute === '' || isNothing(cell)) continue
    const one = { name: `${attributesHolder}.${attribute}`, cell }
    if (cell !== noOption && !canAdd([...made, one])) continue
    if (cell !== noOption) made.push(one)
    for (const column of [name, value, ...others]) emptied.add(column)
  }
  return [...cells.map((one) => (emptied.has(one.column) ? { ...one, cell: '' } : one)), ...made]
}
