// In charge of telling a quantity in other units: only in those that people use for it, and only where the service
// reads what is told as the very same quantity.
import { parseQuantity } from '../../../specs/quantities.ts'
import { findScale, type Scale } from '../../../specs/units.ts'

/** Dials round feet as coarsely as they can: 328 ft is a hundred metres too, but none says so. */
const markedSteps = [100, 10, 5, 1]
const plainSteps = [0.1]
/** In the order in which they are told. */
const toldUnits: readonly string[] = ['m', 'bar', 'ft', 'h', 'days', 'Hz', 'vph', 'A/m', 'gauss']
const numberFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 })

/** `10 bar`, `330 ft` for what is written `100 m`. `shown` is it in the key's own unit. */
export function writeEquivalents(key: string, written: string, shown: string): readonly string[] {
  const scale = findScale(key)
  const quantity = parseQuantity(key, written)
  if (scale === undefined || quantity === undefined) return []
  const spelled = plain(written)
  const isSameNumber = Number.parseFloat(spelled) === quantity.number
  // `80 hours` is 80 h to anyone; a bare 42 is not millimetres to everyone.
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

/** `30m`, `30 m` and `28'800 vph` say the same as `30 m` and `28,800 vph`. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[\s,'’]/g, '')
}
