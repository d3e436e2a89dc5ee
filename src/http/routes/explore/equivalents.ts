// Converts a quantity to other units: only to those customary for it, and only where the result parses back to
// exactly the same quantity.
import { parseQuantity } from '../../../specs/quantities.ts'
import { findScale, type Scale } from '../../../specs/units.ts'

/** Rounding steps for units that are marked on dials, coarsest first: 328 ft is 100 m too, but dials say 330 ft. */
const markedSteps = [100, 10, 5, 1]
const plainSteps = [0.1]
/** The units to convert to, in the order in which they are shown. */
const toldUnits: readonly string[] = ['m', 'bar', 'ft', 'h', 'days', 'Hz', 'vph', 'A/m', 'gauss']
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** Returns `10 bar`, `330 ft` for the stored text `100 m`. `shown` is the quantity in the key's own unit. */
export function writeEquivalents(key: string, raw: string, shown: string): readonly string[] {
  const scale = findScale(key)
  const quantity = parseQuantity(key, raw)
  if (scale === undefined || quantity === undefined) return []
  const spelled = plain(raw)
  const isSameNumber = Number.parseFloat(spelled) === quantity.number
  // The own unit is repeated only where it adds something: `80 hours` is clearly 80 h, but a bare 42 may not be read
  // as mm.
  const own = isSameNumber && !isBare(spelled) ? [] : [shown]
  return [...own, ...inOtherUnits(key, scale, quantity.number)].filter(
    (text) => !spelled.includes(plain(text)),
  )
}

function inOtherUnits(key: string, { unit: own, bySpelling }: Scale, number: number): readonly string[] {
  if (!toldUnits.includes(own.name)) return []
  const known = [...new Set(bySpelling.values())].filter((unit) => unit !== own)
  const units = toldUnits.flatMap((told) => known.filter(({ name }) => name === told))
  return units.flatMap((unit) => {
    for (const step of unit.marks === undefined ? plainSteps : markedSteps) {
      const converted = Math.round((number * own.factor) / unit.factor / step) * step
      const text = `${numberFormat.format(converted)} ${unit.name}`
      if (converted >= 1 && parseQuantity(key, text)?.number === number) return [text]
    }
    return []
  })
}

function isBare(spelled: string): boolean {
  return /^[\d.]+$/.test(spelled)
}

/** Normalises spellings: `30m` equals `30 m`, and `28'800 vph` equals `28,800 vph`. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s,'’]/g, '')
}
