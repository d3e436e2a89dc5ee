// Generates the brands of the generated catalogue: those of the sample and invented ones, the most popular first, each
// with its own collections and calibers. Catalogues of every size have the same brands.
import { readSample } from '../../src/catalogue/sample.ts'
import { type Draw, integerBetween, pick, type Random, randomFrom, zipf } from './random.ts'

export interface GeneratedBrand {
  readonly id: number
  readonly name: string
  readonly slug: string
  readonly country: string | null
  readonly foundedYear: number | null
  /** The median of its retail prices. */
  readonly priceUsd: number
  readonly referenceForm: number
  readonly collection: Draw<string>
  readonly caliber: Draw<Caliber>
}

/** Values that every watch with this movement shares; how they are spelled differs from watch to watch. */
interface Caliber {
  readonly name: string
  readonly isMechanical: boolean
  readonly reserveHours: number
  readonly frequencyVph: number
  readonly jewels: number
  readonly functions: readonly string[]
}

const brandsCount = 150
const brandSeed = 7_001

/** The brands of the sample with the most listings. */
const mostListed = [
  'Rolex',
  'Omega',
  'Seiko',
  'Casio',
  'Citizen',
  'TAG Heuer',
  'Breitling',
  'Cartier',
  'Tudor',
  'Longines',
  'Tissot',
  'IWC Schaffhausen',
  'Hamilton',
  'Patek Philippe',
]

const firstNames = ['Aubert', 'Baselan', 'Corvin', 'Delmas', 'Erlacher', 'Favre', 'Grandjean', 'Huguenin']
const moreNames = ['Isler', 'Jaquier', 'Kestrel', 'Lemoine', 'Matthey', 'Nordal', 'Ollivier', 'Perret']
const lastNames = [
  '',
  ' & Fils',
  ' Genève',
  ' Watch Co.',
  ' Frères',
  ' Uhren',
  ' Instruments',
  ' Chronometrie',
]

const collectionNames =
  'Heritage Classic Diver Pilot Marine Chronograph Sport Navigator Explorer Elegance Master Prestige Regatta Racing Traveller Lady Urban Field Aviator Regulator Lunar Tradition Carrera Voyager Meridian Horizon Legacy Origin Ocean Summit'.split(
    ' ',
  )
const collectionSuffixes = ['', '', ' Automatic', ' GMT', ' II', ' 1960', ' Date', ' Pro', ' Titanium']

const complications: readonly (readonly string[])[] = [
  [],
  [],
  [],
  ['Chronograph'],
  ['Day'],
  ['Power reserve indicator'],
  ['GMT'],
  ['Moon phase'],
  ['Chronograph', 'Tachymeter'],
  ['Flyback chronograph'],
  ['World time'],
  ['Alarm'],
  ['Day', 'Month', 'Moon phase'],
  ['Large date'],
  ['Second time zone'],
  ['Annual calendar', 'Day', 'Month'],
  ['Perpetual calendar', 'Day', 'Month', 'Moon phase'],
  ['Tourbillon'],
  ['Minute repeater'],
]
const drawComplications = zipf(complications, 0.9)
const digitalFunctions = [
  'Alarm',
  'Stopwatch',
  'Countdown timer',
  'World time',
  'Radio time signal',
  'Bluetooth',
]
const drawReserve = zipf([42, 38, 70, 80, 60, 72, 50, 40, 55, 48, 120, 44, 68, 65, 100, 36, 168, 192], 0.5)
const drawFrequency = zipf([28_800, 21_600, 25_200, 18_000, 36_000, 19_800], 1.3)

export async function generateBrands(): Promise<GeneratedBrand[]> {
  const sample = await readSample()
  const known = mostListed.flatMap((name) => sample.brands.find((brand) => brand.name === name) ?? [])
  const real = [...known, ...sample.brands.filter((brand) => !known.includes(brand))]
  const collectionsOf = (name: string) => [
    ...new Set(sample.watches.filter(({ brand }) => brand === name).map(({ collection }) => collection)),
  ]
  const made = lastNames.flatMap((last) => [...firstNames, ...moreNames].map((first) => first + last))
  return [
    ...real.map(({ name, slug, country, founded_year }, index) =>
      makeBrand(index + 1, name, { slug, country, foundedYear: founded_year }, collectionsOf(name)),
    ),
    ...made
      .slice(0, brandsCount - real.length)
      .map((name, index) =>
        makeBrand(
          real.length + index + 1,
          name,
          { slug: slugOf(name), country: null, foundedYear: null },
          [],
        ),
      ),
  ]
}

function makeBrand(
  id: number,
  name: string,
  facts: Pick<GeneratedBrand, 'slug' | 'country' | 'foundedYear'>,
  known: readonly string[],
): GeneratedBrand {
  const random = randomFrom(brandSeed + id)
  const own = Array.from(
    { length: integerBetween(random, 4, 16) },
    () => pick(random, collectionNames) + pick(random, collectionSuffixes),
  )
  const calibersCount = integerBetween(random, 12, 60)
  return {
    id,
    name,
    ...facts,
    // From the price of a plastic quartz watch to that of a tourbillon; most brands lie in between.
    priceUsd: 10 ** (2.2 + 2.6 * ((random() + random()) / 2)),
    referenceForm: integerBetween(random, 0, 4),
    collection: zipf([...new Set([...known, ...own])], 0.8),
    caliber: zipf(
      Array.from({ length: calibersCount }, () => makeCaliber(random, name)),
      0.7,
    ),
  }
}

function makeCaliber(random: Random, brand: string): Caliber {
  const isMechanical = random() < 0.87
  const number = integerBetween(random, 100, 9_899)
  const letters = brand.replace(/[^A-Za-z]/g, '').toUpperCase()
  const names = [
    String(number),
    `${letters.slice(0, 2)}${number}`,
    `${letters.slice(0, 3)}-${number % 1_000}`,
    `Caliber ${number}`,
    `${letters.slice(0, 1)}${number % 100}.${number % 7}`,
    `Sellita SW${pick(random, [200, 240, 300, 330, 500])}-1`,
    `ETA ${pick(random, ['2824-2', '2892-A2', '7750', '6497-1', '2801-2', 'F06.411'])}`,
  ]
  return {
    name: zipf(names, 0.6)(random),
    isMechanical,
    reserveHours: drawReserve(random),
    frequencyVph: drawFrequency(random),
    jewels: integerBetween(random, 17, 47),
    functions: isMechanical
      ? [
          'Hours',
          'Minutes',
          random() < 0.66 ? 'Seconds' : 'Small seconds',
          ...(random() < 0.62 ? ['Date'] : []),
          ...drawComplications(random),
        ]
      : [
          ...(random() < 0.4 ? ['Time'] : ['Hours', 'Minutes', 'Seconds']),
          'Date',
          ...digitalFunctions.filter(() => random() < 0.35),
        ],
  }
}

function slugOf(name: string): string {
  return name
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]+/g, '-')
    .replace(/^-|-$/g, '')
}
