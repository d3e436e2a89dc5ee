// The tables of units: which spec keys are quantities, in which unit, how units are spelled and their factors;
// quantities.ts converts with them. To add a unit or a quantity key, add a line here.
import { createHash } from 'node:crypto'
import { foldText } from './fold.ts'

export interface Unit {
  readonly name: string
  /** The size of the unit in terms of the dimension's first unit. */
  readonly factor: number
  /** Other spellings besides the name; case does not matter. */
  readonly spellings: readonly string[]
  /** Values that makers engrave in the first unit; a converted value snaps to the nearest one. */
  readonly marks?: readonly number[]
  /** The unit is so large that three decimals are common: `1.575 in`. In other units, `1.000 m` may mean a thousand. */
  readonly mayHaveThreeDecimals?: true
}

/** The units of a key: its own unit, and every unit that can be converted to it. */
export interface Scale {
  readonly unit: Unit
  readonly bySpelling: ReadonlyMap<string, Unit>
}

interface Dimension {
  readonly units: readonly Unit[]
  /** The keys by their own unit. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Endings of further keys that can only mean this dimension, by unit. */
  readonly keyEndings?: Readonly<Record<string, readonly string[]>>
}

/** Depths that makers mark in metres. 2,000 ft is Rolex's 610 and Omega's 600, 4,000 ft is 1220 and 1200. */
const markedDepthsM = [
  10, 20, 30, 40, 50, 60, 80, 100, 120, 150, 200, 250, 300, 400, 500, 600, 610, 750, 800, 1000, 1200, 1220,
  1500, 2000, 2500, 3000, 3900, 4000, 5000, 6000, 10_000, 11_000,
]

const dimensions: Readonly<Record<string, Dimension>> = {
  depth: {
    units: [
      { name: 'm', factor: 1, spellings: plurals('metre', 'meter', 'mtr') },
      // Dials say 330 ft for 100 m and 1000 ft for 300 m: the feet are rounded, the metres are meant.
      { name: 'ft', factor: 0.3048, spellings: ['foot', 'feet', '′', "'"], marks: markedDepthsM },
      // ISO 22810: the pressure of water at that depth, one bar per ten metres. Makers use atm for the same.
      { name: 'bar', factor: 10, spellings: ['bars'] },
      { name: 'atm', factor: 10, spellings: [...plurals('atmosphere'), '気圧', '気圧防水'] },
    ],
    keys: {
      m: ['water_resistance', 'water_resistance_m', 'depth_rating'],
      bar: ['water_resistance_bar'],
      atm: ['water_resistance_atm'],
    },
  },
  duration: {
    units: [
      { name: 'h', factor: 1, spellings: plurals('hr', 'hour') },
      { name: 'min', factor: 1 / 60, spellings: ['mins', 'minute', 'minutes'] },
      { name: 'days', factor: 24, spellings: ['d', 'day'] },
      { name: 'weeks', factor: 168, spellings: ['week'] },
      // Only solar and quartz watches run this long. A month is a twelfth of a year, not a number of days.
      { name: 'months', factor: 730, spellings: ['month'] },
      { name: 'years', factor: 8760, spellings: ['year', 'yr', 'yrs'] },
    ],
    keys: {
      h: ['power_reserve', 'power_reserve_h', 'power_reserve_hours'],
      days: ['power_reserve_days'],
      years: ['battery_life', 'battery_life_years'],
    },
  },
  length: {
    units: [
      { name: 'mm', factor: 1, spellings: plurals('millimetre', 'millimeter'), mayHaveThreeDecimals: true },
      { name: 'cm', factor: 10, spellings: plurals('centimetre', 'centimeter'), mayHaveThreeDecimals: true },
      { name: 'in', factor: 25.4, spellings: ['inch', 'inches', '″', '"', "''"], mayHaveThreeDecimals: true },
    ],
    keys: {
      mm: listed(`diameter, thickness, case_diameter, case_size, case_width, case_length, case_height,
        case_thickness, lug_width, lug_to_lug, lug_to_lug_distance`),
    },
    keyEndings: { mm: ['_diameter', '_thickness', '_width', '_mm'] },
  },
  frequency: {
    units: [
      { name: 'Hz', factor: 1, spellings: ['hertz'] },
      { name: 'kHz', factor: 1e3, spellings: ['kilohertz'], mayHaveThreeDecimals: true },
      { name: 'MHz', factor: 1e6, spellings: ['megahertz'], mayHaveThreeDecimals: true },
      // Vibrations are half swings of the balance per hour: two make one oscillation, and an hour has 3,600 s.
      {
        name: 'vph',
        factor: 1 / 7200,
        spellings:
          listed(`v/h, vib/h, vib./h, vibrations/h, vibrations/hour, vibrations per hour, bph, beats/hour,
          beats per hour, A/h, alt/h, alternances, alternances/h, alternances/heure, alternations per hour`),
      },
    ],
    keys: { Hz: ['frequency', 'frequency_hz'], vph: ['frequency_vph', 'beat_rate'] },
  },
  mass: {
    units: [
      { name: 'g', factor: 1, spellings: plurals('gram', 'gramme'), mayHaveThreeDecimals: true },
      { name: 'kg', factor: 1e3, spellings: plurals('kilogram'), mayHaveThreeDecimals: true },
      { name: 'oz', factor: 28.349523125, spellings: plurals('ounce'), mayHaveThreeDecimals: true },
    ],
    // No ending `_weight`: the weight of diamonds is given in carats.
    keys: { g: ['weight', 'weight_g', 'case_weight', 'total_weight'] },
  },
  magneticField: {
    units: [
      { name: 'A/m', factor: 1, spellings: ['ampere/metre', 'amperes per metre', 'amperes per meter'] },
      { name: 'kA/m', factor: 1e3, spellings: [], mayHaveThreeDecimals: true },
      // 79.577 by physics, 80 on every data sheet: 60 gauss are 4,800 A/m (ISO 764), 1,000 gauss 80,000 A/m.
      { name: 'gauss', factor: 80, spellings: [] },
      { name: 'tesla', factor: 800_000, spellings: ['T'], mayHaveThreeDecimals: true },
    ],
    keys: { 'A/m': ['antimagnetic', 'anti_magnetic', 'magnetic_resistance'] },
  },
}

// Maps, because keys come from callers: `constructor` must be a key like any other.
const scalesByKey = new Map<string, Scale>()
const scalesByEnding = new Map<string, Scale>()
for (const dimension of Object.values(dimensions)) {
  listScales(dimension, dimension.keys, scalesByKey)
  listScales(dimension, dimension.keyEndings ?? {}, scalesByEnding)
}

/** Changes whenever a table of this file changes. */
export const unitsDigest = createHash('sha256').update(JSON.stringify(dimensions)).digest('hex').slice(0, 16)

export const quantityKeys: readonly string[] = [...scalesByKey.keys()]

export function findScale(key: string): Scale | undefined {
  const scale = scalesByKey.get(key)
  if (scale !== undefined) return scale
  for (const [ending, scaleOfEnding] of scalesByEnding) if (key.endsWith(ending)) return scaleOfEnding
  return undefined
}

/** Finds the name of the unit with this spelling among the units of the key, or among all if the key has none. */
export function findUnitName(key: string, spelling: string): string | undefined {
  const folded = foldText(spelling).replace(/\.$/, '')
  const own = findScale(key)
  const scales = own === undefined ? scalesByKey.values() : [own]
  for (const { bySpelling } of scales) if (bySpelling.has(folded)) return bySpelling.get(folded)?.name
  return undefined
}

function plurals(...words: readonly string[]): string[] {
  return words.flatMap((word) => [word, `${word}s`])
}

function listed(text: string): string[] {
  return text.split(/,\s+/)
}

function listScales(dimension: Dimension, names: Dimension['keys'], scales: Map<string, Scale>): void {
  const bySpelling = new Map(
    dimension.units.flatMap((unit) => [unit.name, ...unit.spellings].map((word) => [foldText(word), unit])),
  )
  for (const [unitName, keys] of Object.entries(names)) {
    const unit = dimension.units.find(({ name }) => name === unitName)
    if (unit === undefined) throw new Error(`the dimension has no unit ${unitName}`)
    const scale = { unit, bySpelling }
    for (const key of keys) scales.set(key, scale)
  }
}
