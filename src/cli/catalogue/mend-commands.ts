// In charge of the commands that would mend what looks wrong in a catalogue, to be copied as they stand. What nobody can
// guess is left open as VALUE.

import { writeScalar } from '../../catalogue/care/spec-value.ts'
import type { OddPrice } from '../../catalogue/survey/catalogue-stats.ts'
import type { MixedTypes, OddKey, OddValue } from '../../catalogue/survey/odd-values.ts'
import type { RepeatedReference } from '../../catalogue/survey/survey-references.ts'
import { shellWord } from '../catalogue-texts.ts'

const open = 'VALUE'

export function mendValue({ key, value, near }: OddValue): string {
  const into = near === undefined ? open : shellWord(writeScalar(near.value))
  const from = shellWord(String(value))
  // What begins with a dash would be read as an option.
  const isOption = [key, String(value)].some((text) => text.startsWith('-'))
  const words = [shellWord(key), from].join(' ')
  return isOption
    ? `watchdata spec merge-values --into ${into} -- ${words}`
    : `watchdata spec merge-values ${words} --into ${into}`
}

/** The watches of the rarest type are the ones to look at. */
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

/** The first came first; which one is right, only a person can tell. */
export function mendReference({ ids }: RepeatedReference): string {
  return `watchdata watch show ${ids[0]}`
}
