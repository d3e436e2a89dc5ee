// The tables of units: which spec keys are quantities, in which unit, how units are spelled and their factors;
// quantities.ts converts with them. To add a unit or a quantity key, add a line here.
import { createHash } from 'node:crypto'
import { foldText } from './fold.ts'

export interface Unit {
  readonly name: string
  /** The size of the unit in terms of the dimension's first unit. */
  readonly factor: number
  /** Other spellings besides the name, in English and as signs; case does not matter. */
  readonly spellings: readonly string[]
  /** Words of other languages. They count only for keys of this dimension: elsewhere `an` or `mes` may be any word. */
  readonly words?: readonly string[]
  /** Values that makers engrave in the first unit; a converted value snaps to the nearest one. */
  readonly marks?: readonly number[]
  /** The unit is so large that three decimals are common: `1.575 in`. In other units, `1.000 h` may mean a thousand. */
  readonly mayHaveThreeDecimals?: true
  /** The unit counts only for keys of its dimension: a column `Diamonds (ct)` keeps its whole name, and its numbers. */
  readonly isOfOwnKeys?: true
  /** The least and the greatest number that a watch can have in this unit; undefined: any number. */
  readonly usual?: readonly [number, number]
}

/** The units of a key: its own unit, and every unit that can be converted to it. */
export interface Scale {
  readonly unit: Unit
  readonly bySpelling: ReadonlyMap<string, Unit>
  /** Matches the longest spelling at `lastIndex`, if the unit ends there. */
  readonly unitHere: RegExp
}

interface Dimension {
  readonly units: readonly Unit[]
  /** The least and the greatest value of a watch, in the first unit: decides whether `1.220 m` is 1,220 or 1.22. */
  readonly usual?: readonly [number, number]
  /** The keys by their own unit. */
  readonly keys: Readonly<Record<string, readonly string[]>>
  /** Endings of further keys that can only mean this dimension, by unit; of two that fit, the first counts. */
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
      {
        name: 'm',
        factor: 1,
        spellings: plurals('metre', 'meter', 'mtr', 'mt'),
        words: listed('metern, mètre, mètres, metro, metri, metros, メートル, 米'),
      },
      // Dials say 330 ft for 100 m and 1000 ft for 300 m: the feet are rounded, the metres are meant.
      {
        name: 'ft',
        factor: 0.3048,
        spellings: ['foot', 'feet', '′', "'"],
        words: listed('fuß, pied, pieds, piede, piedi, pie, pies, フィート'),
        marks: markedDepthsM,
      },
      // ISO 22810: the pressure of water at that depth, one bar per ten metres. Makers use atm for the same.
      { name: 'bar', factor: 10, spellings: ['bars'], words: listed('bares, バール, 巴') },
      {
        name: 'atm',
        factor: 10,
        spellings: plurals('atmosphere', 'atm'),
        words: listed(
          'atmosphäre, atmosphären, atmosphère, atmosphères, atmosfera, atmosfere, atmósfera, atmósferas, atmosferas, 気圧, 気圧防水, 大气压',
        ),
      },
    ],
    usual: [5, 12_000],
    keys: {
      m: ['water_resistance', 'water_resistance_m', 'depth_rating'],
      bar: ['water_resistance_bar'],
      atm: ['water_resistance_atm'],
    },
  },
  duration: {
    units: [
      {
        name: 'h',
        factor: 1,
        spellings: plurals('hr', 'hour'),
        words: listed('std, stunde, stunden, heure, heures, ora, ore, hora, horas, uur, uren, 時間, 小时'),
      },
      {
        name: 'min',
        factor: 1 / 60,
        spellings: ['mins', 'minute', 'minutes'],
        words: listed('minuten, minuto, minuti, minutos, 分, 分間, 分钟'),
      },
      {
        name: 'days',
        factor: 24,
        spellings: ['d', 'day'],
        words: listed(
          'tag, tage, tagen, jour, jours, giorno, giorni, día, días, dia, dias, dagen, 日, 日間, 天',
        ),
      },
      {
        name: 'weeks',
        factor: 168,
        spellings: ['week'],
        words: listed('woche, wochen, semaine, semaines, settimana, settimane, semana, semanas, 週間'),
      },
      // Only solar and quartz watches run this long. A month is a twelfth of a year, not a number of days.
      {
        name: 'months',
        factor: 730,
        spellings: ['month'],
        words: listed('monat, monate, monaten, mois, mese, mesi, mes, meses, ヶ月, か月, カ月, ヵ月'),
      },
      {
        name: 'years',
        factor: 8760,
        spellings: ['year', 'yr', 'yrs'],
        words: listed('jahr, jahre, jahren, an, ans, année, années, anno, anni, año, años, anos, 年, 年間'),
      },
    ],
    keys: {
      h: ['power_reserve', 'power_reserve_h', 'power_reserve_hours'],
      days: ['power_reserve_days'],
      years: ['battery_life', 'battery_life_years'],
    },
  },
  length: {
    units: [
      {
        name: 'mm',
        factor: 1,
        spellings: plurals('millimetre', 'millimeter'),
        words: listed(
          'millimètre, millimètres, millimetro, millimetri, milímetro, milímetros, milimetros, ミリ, ミリメートル, 毫米',
        ),
        mayHaveThreeDecimals: true,
      },
      {
        name: 'cm',
        factor: 10,
        spellings: plurals('centimetre', 'centimeter'),
        words: listed(
          'zentimeter, centimètre, centimètres, centimetro, centimetri, centímetro, centímetros, centimetros, センチ, センチメートル, 厘米',
        ),
        mayHaveThreeDecimals: true,
      },
      {
        name: 'in',
        factor: 25.4,
        spellings: ['inch', 'inches', '″', '"', "''"],
        words: listed('zoll, pouce, pouces, pollice, pollici, pulgada, pulgadas, インチ'),
        mayHaveThreeDecimals: true,
      },
    ],
    usual: [0.1, 1_000],
    keys: {
      mm: listed(`diameter, thickness, case_diameter, case_size, case_width, case_length, case_height,
        case_thickness, lug_width, lug_to_lug, lug_to_lug_distance`),
    },
    keyEndings: { mm: ['_diameter', '_thickness', '_width', '_length', '_height', '_mm'] },
  },
  frequency: {
    units: [
      { name: 'Hz', factor: 1, spellings: ['hertz'], words: listed('ヘルツ, 赫兹') },
      { name: 'kHz', factor: 1e3, spellings: ['kilohertz'], mayHaveThreeDecimals: true },
      { name: 'MHz', factor: 1e6, spellings: ['megahertz'], mayHaveThreeDecimals: true },
      // Vibrations are half swings of the balance per hour: two make one oscillation, and an hour has 3,600 s.
      {
        name: 'vph',
        factor: 1 / 7200,
        spellings:
          listed(`v/h, vib/h, vib./h, vib/hr, vib/hour, vibrations/h, vibrations/hr, vibrations/hour, vibrations per hour,
          bph, beats/h, beats/hr, beats/hour, beats per hour, A/h, alt/h, alt./h, alternances, alternances/h,
          alternances/heure, alternations/h, alternations/hour, alternations per hour`),
        words: listed(`halbschwingungen, halbschwingungen/h, halbschwingungen/std, halbschwingungen/stunde,
          halbschwingungen pro stunde, halbschwingungen je stunde, alternances par heure, alternances à l'heure,
          vibrations/heure, vibrations par heure, alternanze, alternanze/h, alternanze/ora, alternanze all'ora,
          alternanze orarie, vibrazioni/h, vibrazioni/ora, vibrazioni all'ora, alternancias, alternancias/h, alternancias/hora,
          alternancias por hora, vibraciones/h, vibraciones/hora, vibraciones por hora, 振動, 振動/時, 振動/時間, 次/小时`),
      },
    ],
    usual: [1, 1e7],
    keys: { Hz: ['frequency', 'frequency_hz'], vph: ['frequency_vph', 'beat_rate'] },
  },
  mass: {
    units: [
      {
        name: 'g',
        factor: 1,
        spellings: plurals('gram', 'gramme', 'gr'),
        words: listed('gramm, grammo, grammi, gramo, gramos, グラム, 克'),
        mayHaveThreeDecimals: true,
      },
      {
        name: 'kg',
        factor: 1e3,
        spellings: plurals('kilogram', 'kilogramme', 'kilo'),
        words: listed('kilogramm, chilogrammo, chilogrammi, kilogramo, kilogramos, キログラム, 千克, 公斤'),
        mayHaveThreeDecimals: true,
      },
      {
        name: 'oz',
        factor: 28.349523125,
        spellings: plurals('ounce'),
        words: listed('unze, unzen, once, onces, oncia, onza, onzas, オンス'),
        mayHaveThreeDecimals: true,
      },
      {
        name: 'ct',
        factor: 0.2,
        spellings: ['cts', 'ctw', 'tcw', 'carat', 'carats'],
        words: listed('karat, carati, quilate, quilates, カラット, 克拉'),
        mayHaveThreeDecimals: true,
        // `1,234 ct` has a decimal comma: no watch has a thousand carats.
        usual: [0.001, 999],
        isOfOwnKeys: true,
      },
    ],
    usual: [0.001, 10_000],
    // The weight of gems is given in carats, every other weight of a watch in grams.
    keys: {
      g: ['weight', 'weight_g', 'case_weight', 'total_weight'],
      ct: ['carat_weight', 'diamond_weight', 'gem_weight'],
    },
    keyEndings: {
      ct: listed(
        'carat_weight, diamond_weight, diamonds_weight, gem_weight, gems_weight, stone_weight, stones_weight',
      ),
      g: ['_weight'],
    },
  },
  magneticField: {
    units: [
      { name: 'A/m', factor: 1, spellings: ['ampere/metre', 'amperes per metre', 'amperes per meter'] },
      { name: 'kA/m', factor: 1e3, spellings: [], mayHaveThreeDecimals: true },
      // 79.577 by physics, 80 on every data sheet: 60 gauss are 4,800 A/m (ISO 764), 1,000 gauss 80,000 A/m.
      { name: 'gauss', factor: 80, spellings: [], words: listed('ガウス, 高斯') },
      { name: 'tesla', factor: 800_000, spellings: ['T'], mayHaveThreeDecimals: true },
    ],
    keys: { 'A/m': ['antimagnetic', 'anti_magnetic', 'magnetic_resistance'] },
  },
}

// Maps, because keys come from callers: `constructor` must be a key like any other.
const scalesByKey = new Map<string, Scale>()
const scalesByEnding = new Map<string, Scale>()
/** The names and English spellings of all units. */
const plainSpellings = new Map<string, Unit>()
for (const { units, usual, keys, keyEndings = {} } of Object.values(dimensions)) {
  const bounded = units.map((unit) => boundedUnit(unit, usual))
  const bySpelling = new Map(bounded.flatMap((unit) => spellingsOf(unit).map((word) => [word, unit])))
  const scaleOf = (name: string): Scale => {
    const unit = bounded.find((one) => one.name === name)
    if (unit === undefined) throw new Error(`the dimension has no unit ${name}`)
    return { unit, bySpelling, unitHere: unitPattern(bySpelling.keys()) }
  }
  for (const unit of bounded.filter(({ isOfOwnKeys }) => !isOfOwnKeys)) {
    for (const word of [unit.name, ...unit.spellings].map(foldText)) {
      if (!plainSpellings.has(word)) plainSpellings.set(word, unit)
    }
  }
  for (const [name, list] of Object.entries(keys)) {
    const scale = scaleOf(name)
    for (const key of list) scalesByKey.set(key, scale)
  }
  for (const [name, endings] of Object.entries(keyEndings)) {
    const scale = scaleOf(name)
    for (const ending of endings) scalesByEnding.set(ending, scale)
  }
}

/** Changes whenever a table of this file changes. */
export const unitsDigest = createHash('sha256').update(JSON.stringify(dimensions)).digest('hex').slice(0, 16)

export const quantityKeys: readonly string[] = [...scalesByKey.keys()]

/** Scales of keys that were asked for: the index asks for every spec of every watch. */
const knownScales = new Map<string, Scale | undefined>()
const knownScalesMax = 10_000
/** Longer keys are no specs, and are not kept. */
const knownKeyCharsMax = 128

export function findScale(key: string): Scale | undefined {
  const known = knownScales.get(key)
  if (known !== undefined || knownScales.has(key)) return known
  const scale = scalesByKey.get(key) ?? scaleByEnding(key)
  if (key.length > knownKeyCharsMax) return scale
  if (knownScales.size === knownScalesMax) knownScales.clear()
  knownScales.set(key, scale)
  return scale
}

function scaleByEnding(key: string): Scale | undefined {
  for (const [ending, scale] of scalesByEnding) if (key.endsWith(ending)) return scale
  return undefined
}

/** Finds the name of the unit with this spelling among the units of the key, or among all if the key has none. */
export function findUnitName(key: string, spelling: string): string | undefined {
  const folded = foldText(spelling).replace(/\.$/, '')
  return (findScale(key)?.bySpelling ?? plainSpellings).get(folded)?.name
}

function plurals(...words: readonly string[]): string[] {
  return words.flatMap((word) => [word, `${word}s`])
}

function listed(text: string): string[] {
  return text.split(/,\s+/)
}

function boundedUnit(unit: Unit, usual: Dimension['usual']): Unit {
  return usual === undefined || unit.usual !== undefined
    ? unit
    : { ...unit, usual: [usual[0] / unit.factor, usual[1] / unit.factor] }
}

/** All spellings, folded. Data sheets write `A/h` as `A / h`, too. */
function spellingsOf({ name, spellings, words = [] }: Unit): string[] {
  return [name, ...spellings, ...words].flatMap((word) => {
    const folded = foldText(word)
    return folded.includes('/') ? [folded, folded.replace('/', ' / ')] : [folded]
  })
}

/** A unit ends before anything but a letter, a digit or a sign that could belong to it; Japanese has no spaces. */
function unitPattern(spellings: Iterable<string>): RegExp {
  const end =
    '(?=$|[\\s,;:.()\\[\\]|=+*!–—]|/ ?\\d|[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}])'
  return new RegExp(`(?:${alternatives(spellings)})${end}`, 'uy')
}

/** The source of a regular expression that matches one of the words, the longest first. */
export function alternatives(words: Iterable<string>): string {
  const longestFirst = [...words].sort((one, other) => other.length - one.length)
  return longestFirst.map((word) => word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|')
}
