// Decides whether `¥` in the prices of a file is the yuan: by the currency of the file, by other prices, or because the
// names of the columns are Chinese. Otherwise it is the yen.
import type { FileRecord } from '../../files/records.ts'
import { parseMoney } from '../cells/money.ts'
import { type ColumnMapping, currencyTarget, type Mapping } from '../mapping.ts'
import { isPriceField } from './column-names.ts'
import { sampleColumns } from './sample-columns.ts'

export interface FileCurrency {
  /** The ISO code that the operator or a line above the header names. */
  readonly named: string | undefined
  /** The mapping of the operator, which may say that a column is in yen. */
  readonly map: string | undefined
}

const chinese = /[价價牌货币幣]|款[号號]/u
/** Kana, and characters that only Japanese has. */
const japanese = /[\p{Script=Hiragana}\p{Script=Katakana}価円込売番]/u
const yenName = /jpy|yen|円|日[元圆圓]/iu

export function withYuan(
  mapping: Mapping,
  records: readonly FileRecord[],
  { named, map }: FileCurrency,
): Mapping {
  if (mapping.isExport || named === 'JPY' || map?.includes('JPY')) return mapping
  const samples = sampleColumns(mapping.columns.length, records)
  const has = (at: number, test: (text: string) => boolean) =>
    samples[at]?.cells.some((cell) => typeof cell === 'string' && test(cell)) === true
  const signed = mapping.columns.filter(
    ({ to, as, column, currency = 'JPY' }, at) =>
      as === 'money' &&
      isPriceField(to ?? '') &&
      currency === 'JPY' &&
      !yenName.test(column) &&
      has(at, (text) => /[¥￥]/u.test(text) && currencyOf(text, 'CNY') === 'CNY'),
  )
  if (signed.length === 0) return mapping
  const names = mapping.columns.map(({ column }) => column).join(' ')
  const isYuan =
    named === 'CNY' ||
    (chinese.test(names) && !japanese.test(names)) ||
    mapping.columns.some(({ as }, at) => as === 'money' && has(at, (text) => currencyOf(text) === 'CNY'))
  const targets = new Set(mapping.columns.map(({ to }) => to))
  const isTold = ({ to }: ColumnMapping) => targets.has('currency') || targets.has(currencyTarget(to ?? ''))
  const yuan = isYuan ? signed.filter((column) => !isTold(column)) : []
  const columns = mapping.columns.map((column): ColumnMapping => {
    if (yuan.includes(column)) return { ...column, currency: 'CNY' }
    if (!signed.includes(column) || !isTold(column)) return column
    // A column of currencies says it better, row by row.
    const { currency: _, ...bare } = column
    return bare
  })
  if (yuan.length === 0) return { ...mapping, columns }
  const labels = yuan.map(({ column }) => column).join(', ')
  const notes = (mapping.notes ?? []).filter((note) => !note.endsWith('are taken as JPY, too.'))
  return { ...mapping, columns, notes: [...notes, `${labels}: ¥ and prices without a currency are in CNY.`] }
}

function currencyOf(text: string, given?: string): string | undefined {
  const money = parseMoney(text, { given, assume: () => '', isPrice: true })
  return typeof money === 'object' && 'currency' in money ? money.currency : undefined
}
