// Builds the commands that would fix what looks wrong in the catalogue, ready to be copied. A value that cannot be
// guessed is left open as VALUE.

import { writeScalar } from '../../catalogue/edit/spec-value.ts'
import type { OddPrice } from '../../catalogue/survey/catalogue-stats.ts'
import type { MixedTypes, OddKey, OddValue } from '../../catalogue/survey/odd-values.ts'
import type { RepeatedReference } from '../../catalogue/survey/survey-references.ts'
import { shellWord } from '../catalogue-texts.ts'

const open = 'VALUE'

export function mendValue({ key, value, near }: OddValue): string {
  const into = near === undefined ? open : shellWord(writeScalar(near.value))
  const from = shellWord(String(value))
  // Words that begin with a dash would be parsed as options.
  const isOption = [key, String(value)].some((text) => text.startsWith('-'))
  const words = [shellWord(key), from].join(' ')
  return isOption
    ? `watchdata spec merge-values --into ${into} -- ${words}`
    : `watchdata spec merge-values ${words} --into ${into}`
}

/** The watches with the rarest type are most likely wrong. */
export function mendType({ key, types }: MixedTypes): string {
  return `watchdata watch edit ${types.at(-1)?.ids[0]} --set ${shellWord(`specs.${key}`)}=${open}`
}

export function mendKey({ key, near }: OddKey): string {
  const dash = [key, near.key].some((text) => text.startsWith('-')) ? '-- ' : ''
  return `watchdata spec rename ${dash}${shellWord(key)} ${shellWord(near.key)}`
}

export function mendPrice({ id }: OddPrice): string {
  return `watchdata watch edit ${id} --set current_market_price=${open}`
}

export function mendMissingPrice(id: number): string {
  return `watchdata watch edit ${id} --set retail_price_usd=${open}`
}

/** Shows the first of the watches: only the operator can decide which one is right. */
export function mendReference({ ids }: RepeatedReference): string {
  return `watchdata watch show ${ids[0]}`
}
