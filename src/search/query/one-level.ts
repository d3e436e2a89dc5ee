// The one-level spelling of operators: `spec[water_resistance:gte]` is `spec[water_resistance][gte]`, and
// `retail_price_usd:lt` is `retail_price_usd[lt]`. Many clients write nothing deeper than one pair of brackets. A key that
// itself ends like this is always written with an operator behind it: `spec[depth:gte:is]`.

/** The operators by the words that stand for them, in the order of the docs. */
export const operatorWords = ['is', 'any', 'not', 'gt', 'gte', 'lt', 'lte', 'exists', 'exact'] as const

export type Operator = (typeof operatorWords)[number]

/** Splits `text` into what stands before its operator, and the operator. Undefined without one. */
export function splitOperator(text: string): readonly [before: string, operator: Operator] | undefined {
  const colon = text.lastIndexOf(':')
  if (colon < 1) return undefined
  const word = text.slice(colon + 1)
  const operator = operatorWords.find((one) => one === word)
  return operator === undefined ? undefined : [text.slice(0, colon), operator]
}

/** The texts in the brackets of a filter without an operator: `is` is added where the key looks as if it had one. */
export function pathOf(key: string): readonly string[] {
  return splitOperator(key) === undefined ? [key] : [key, 'is']
}

/** Converts the texts in the brackets to those of the nested spelling. Libraries add brackets of lists: `spec[k:any][]`. */
export function nestedPath(path: readonly string[]): readonly string[] {
  const [key = '', ...rest] = path
  const split = splitOperator(key)
  if (split === undefined) return path
  const [before, operator] = split
  return operator === 'is' && rest.length === 0 ? pathOf(before) : [...split, ...rest]
}

/** The texts to write into the brackets, so that `nestedPath` returns `path`. */
export function writtenPath(path: readonly string[]): readonly string[] {
  const [key = '', operator = 'is', ...rest] = path
  if (splitOperator(key) === undefined) return path
  return operator === '' ? [`${key}:any`, ''] : [`${key}:${operator}`, ...rest]
}
