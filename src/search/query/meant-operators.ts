// Recognises the operators of other APIs, which their users write here, too: `case_diameter__gte`, `case_diameter_min`.
import { type Operator, operatorWords } from './one-level.ts'

const others: Readonly<Record<string, Operator>> = {
  ...{ ge: 'gte', min: 'gte', from: 'gte', after: 'gt', le: 'lte', max: 'lte', to: 'lte', before: 'lt' },
  ...{ eq: 'is', equals: 'is', ne: 'not', neq: 'not', in: 'any', or: 'any', isnull: 'exists' },
}

/** The operator that a word stands for. */
export function meantOperator(word: string): Operator | undefined {
  const lower = word.toLowerCase()
  return (
    operatorWords.find((one) => one === lower) ?? (Object.hasOwn(others, lower) ? others[lower] : undefined)
  )
}

/** Splits a name such as `case_diameter_min` into a known name and the operator. */
export function splitMeant(
  name: string,
  isKnown: (name: string) => boolean,
): readonly [known: string, operator: Operator] | undefined {
  const [, before = '', word = ''] = /^(.+?)(?:__|[_.:-])([a-z]+)$/i.exec(name) ?? []
  const operator = meantOperator(word)
  return operator !== undefined && isKnown(before) ? [before, operator] : undefined
}
