// Finds the decimal sign of a column from its prices, because `1.234` alone may be over a thousand or just above one.
import type { DecimalSign } from './amounts.ts'

/** One separator, by group: like thousands (`1.234`), before four or more digits (`9,5000`), decimal (`1950.125`). */
const signed = /^[^\d.,]*(?:[1-9]\d{0,2}([.,])\d{3}|\d+([.,])\d{4,}|(?:\d{4,}|0)([.,])\d{3})[^\d.,]*$/
/** `640`, `640.5` and `99.99` leave no doubt, nor do several of `295.125` beside them, unless these are like thousands. */
const plain = /^[^\d.,]*(\d+)(?:([.,])(\d{1,3}))?[^\d.,]*$/
/** The point of `98.525k` says nothing of that in `98.525`. */
const inMultiples = /\d ?(?:[km](?!\p{L})|mio|mln|million)/iu
/** Halfway between a number and its thousandfold. */
const nearerByThousand = Math.sqrt(1_000)

/**
 * `1.234` is over a thousand, unless more prices of the column use the sign as a decimal sign than as a thousands
 * separator. `9,5000` among thousands is a typo, so it weighs less than `1950.125`.
 */
export function findDecimalSign(texts: Iterable<string>): DecimalSign | undefined {
  const weights = { '.': 0, ',': 0 }
  const amounts: Amount[] = []
  for (const text of texts) {
    if (inMultiples.test(text)) continue
    const [, thousands, slip, clear] = signed.exec(text) ?? []
    if (thousands !== undefined) weights[thousands as DecimalSign] -= 1
    if (slip !== undefined) weights[slip as DecimalSign] += 1
    if (clear !== undefined) weights[clear as DecimalSign] += 2
    const [, whole, sign, decimals = ''] = plain.exec(text) ?? []
    if (whole !== undefined) amounts.push({ number: Number(`${whole}.${decimals}`), sign, decimals })
  }
  if (weights['.'] > 0 && weights[','] > 0) return undefined
  const weighed = weights['.'] > 0 ? '.' : weights[','] > 0 ? ',' : undefined
  return weighed ?? findByMagnitude(amounts)
}

interface Amount {
  /** Its value, if its sign is decimal. */
  readonly number: number
  readonly sign: string | undefined
  readonly decimals: string
}

/**
 * `295.125` among `640.5` and `99.99` is near three hundred: programs write as many decimals as a number has. They never
 * write `295.120`, so that a zero at the end is a sign of thousands.
 */
function findByMagnitude(amounts: readonly Amount[]): DecimalSign | undefined {
  const doubtful = amounts.filter(({ decimals }) => decimals.length === 3)
  const sure = amounts.filter(({ decimals }) => decimals.length < 3)
  const signs = new Set(amounts.flatMap(({ sign }) => sign ?? []))
  const hasDecimals = sure.some(({ sign }) => sign !== undefined)
  const mayBeThousands = doubtful.length === 0 || doubtful.some(({ decimals }) => decimals.endsWith('0'))
  if (!hasDecimals || signs.size > 1 || mayBeThousands) return undefined
  const isNearer = medianOf(doubtful) * nearerByThousand > medianOf(sure)
  return isNearer ? (doubtful[0]?.sign as DecimalSign) : undefined
}

function medianOf(amounts: readonly Amount[]): number {
  const sorted = amounts.map(({ number }) => number).toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
