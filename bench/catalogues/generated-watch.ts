// Generates the n-th watch of the generated catalogue. The result depends on the number alone, not on the size of the
// catalogue, so that requests can be drawn from a catalogue without reading it.
import type { WatchRow } from '../../src/catalogue/watches.ts'
import type { GeneratedBrand } from './generated-brands.ts'
import { integerBetween, pick, type Random, randomFrom, weighted, zipf } from './random.ts'
import { drawSpelling, spellNumber } from './spec-spellings.ts'

/** Raise it with every change of the generated data: the names of kept catalogues contain it. */
export const generatorVersion = 1

type Specs = Record<string, unknown>

export interface GeneratedWatch extends Omit<WatchRow, 'specs'> {
  readonly brand: string
  readonly specs: Specs
}

const watchSeed = 90_001
const firstUpdateMs = Date.UTC(2026, 0, 1)
const updateEveryMs = 1_700
const brandExponent = 0.85

/** Returns the function that generates a watch from its number, counted from 1. */
export function watchGenerator(brands: readonly GeneratedBrand[]): (id: number) => GeneratedWatch {
  const drawBrand = zipf(brands, brandExponent)
  return (id) => {
    const random = randomFrom(watchSeed + id)
    const brand = drawBrand(random)
    const retail = roundPrice(brand.priceUsd * 10 ** ((random() + random() + random() - 1.5) * 0.5))
    return {
      id,
      brand_id: brand.id,
      brand: brand.name,
      collection: brand.collection(random),
      reference_number: referenceOf(random, brand, id),
      retail_price_usd: random() < 0.1 ? null : retail,
      current_market_price: random() < 0.12 ? null : roundPrice(retail * (0.45 + random() * random() * 1.4)),
      specs: specsOf(random, brand),
      updated_at: new Date(firstUpdateMs + id * updateEveryMs).toISOString(),
    }
  }
}

const depthsM = weighted([
  [100, 96],
  [30, 75],
  [50, 50],
  [200, 45],
  [300, 38],
  [120, 9],
  [150, 8],
  [600, 4],
  [500, 3],
  [1_000, 2],
])
const bezelTurns = ['Unidirectional', 'Bidirectional', 'Fixed', 'Rotating']
const bezelRest = zipf(
  ['', ', ceramic', ', 60 minutes', ', black ceramic', ', 24 h', ' rotating', ', tachymeter', ', aluminium']
    .concat([', blue ceramic', ', steel', ', fluted', ', sapphire', ', green ceramic', ', diamond-set'])
    .concat([', slide rule', ', countdown', ', two-tone', ', brown aluminium', ', bronze', ', compass']),
  0.9,
)
const knownNicknames = zipf(
  'Panda|Pepsi|Jumbo|Professional|Batman|Hulk|Moonwatch|Snowflake|Reverse Panda|Kermit|Root Beer|Coke|Turtle|Samurai|Monster|Alpinist|Speedy Tuesday|Smurf|Starbucks|Sprite|Tuna|Willard|CasiOak|White Birch|Bluesy|Polar|Ghost|Stealth'.split(
    '|',
  ),
  0.6,
)
const nicknameFirst =
  'Arctic Desert Midnight Ocean Forest Golden Silver Crimson Emerald Iron Velvet Royal Solar Lunar Storm Shadow Amber Cobalt Scarlet Ivory'.split(
    ' ',
  )
const nicknameLast =
  'Falcon Diver Racer Pilot Ranger Captain Eclipse Horizon Panther Wolf Tiger Comet Harbour Reef Glacier Ember Thunder Rider Scout Legend Edition Anniversary Blade Heart Sky'.split(
    ' ',
  )
const designers = zipf(
  'Gérald Genta|Max Bill|Jorg Hysek|Hannes Wettstein|Mark Braun|Richard Arbib|Philippe Mouquet|Thierry Nataf'.split(
    '|',
  ),
  0.8,
)

/** Keys in the order of the sample, each about as frequent as in the sample. */
function specsOf(random: Random, brand: GeneratedBrand): Specs {
  const caliber = brand.caliber(random)
  const specs: Specs = {}
  const has = (share: number) => random() < share
  specs.movement_type = movementOf(random, caliber.isMechanical)
  specs.case_material = drawSpelling(random, 'case_material')
  if (has(0.99)) specs.dial_color = drawSpelling(random, 'dial_color')
  if (has(0.97)) specs.water_resistance = spellNumber(random, 'waterResistance', depthsM(random))
  if (has(0.99)) specs.crystal = drawSpelling(random, 'crystal')
  if (caliber.isMechanical) specs.power_reserve = spellNumber(random, 'hours', caliber.reserveHours)
  specs.case_shape = drawSpelling(random, 'case_shape')
  if (has(0.98)) specs.bracelet_material = drawSpelling(random, 'bracelet_material')
  specs.case_diameter = spellNumber(random, 'diameter', diameterOf(random))
  if (has(0.6)) specs.thickness = spellNumber(random, 'diameter', integerBetween(random, 65, 155) / 10)
  if (has(0.28))
    specs.lug_width = spellNumber(random, 'diameter', pick(random, [18, 19, 20, 20, 20, 21, 22, 22, 24]))
  if (has(0.92)) specs.caliber = caliber.name
  if (caliber.isMechanical && has(0.95))
    specs.frequency = spellNumber(random, 'frequency', caliber.frequencyVph)
  if (caliber.isMechanical && has(0.66)) specs.jewels = caliber.jewels
  if (has(0.98)) specs.functions = caliber.functions
  if (has(0.37)) specs.bezel = pick(random, bezelTurns) + bezelRest(random)
  if (has(0.24)) specs.case_back = drawSpelling(random, 'case_back')
  if (has(0.18)) specs.crown = drawSpelling(random, 'crown')
  if (!caliber.isMechanical && has(0.4)) specs.display = drawSpelling(random, 'display')
  if (has(0.15)) specs.numerals = drawSpelling(random, 'numerals')
  if (has(0.08)) specs.lug_to_lug = spellNumber(random, 'diameter', integerBetween(random, 84, 104) / 2)
  if (has(0.06)) specs.lume = drawSpelling(random, 'lume')
  if (has(0.05)) specs.strap_closure = drawSpelling(random, 'strap_closure')
  if (has(0.72)) specs.year_introduced = yearOf(random)
  if (has(0.18)) specs.certification = drawSpelling(random, 'certification')
  if (has(0.05)) specs.antimagnetic = drawSpelling(random, 'antimagnetic')
  if (has(0.04)) specs.designer = designers(random)
  if (has(0.06)) specs.limited_edition = has(0.6)
  if (has(0.03)) specs.weight = `${integerBetween(random, 40, 190)} g`
  if (has(0.28)) specs.nickname = nicknameOf(random)
  return specs
}

function movementOf(random: Random, isMechanical: boolean): string {
  for (;;) {
    const movement = drawSpelling(random, 'movement_type')
    // One in eight is quartz, so this ends after a few draws.
    if (/quartz|eco-drive/i.test(movement) !== isMechanical) return movement
  }
}

/** Around 40 mm, mostly whole or half millimetres. */
function diameterOf(random: Random): number {
  const mm = 33 + (random() + random() + random()) * 4.8
  return random() < 0.75 ? Math.round(mm) : Math.round(mm * 2) / 2 + (random() < 0.2 ? 0.2 : 0)
}

function yearOf(random: Random): number {
  return 2025 - Math.floor(random() * random() * 24) - (random() < 0.05 ? integerBetween(random, 10, 40) : 0)
}

function nicknameOf(random: Random): string {
  if (random() < 0.45) return knownNicknames(random)
  const made = `${pick(random, nicknameFirst)} ${pick(random, nicknameLast)}`
  return random() < 0.6 ? made : `${made} ${integerBetween(random, 1, 40)}`
}

function roundPrice(usd: number): number {
  const step = usd < 500 ? 5 : usd < 5_000 ? 10 : 100
  return Math.max(step, Math.round(usd / step) * step)
}

const referenceLetters = 'ABCDEFGHKLMNPRSTVX'

/** A reference in the form that the brand uses, made unique by the number of the watch. */
function referenceOf(random: Random, { name, referenceForm }: GeneratedBrand, id: number): string {
  const digits = String(((id * 7_919) % 9_000_000) + 1_000_000)
  const letter = () => referenceLetters[Math.floor(random() * referenceLetters.length)]
  const two = () => String(integerBetween(random, 10, 99))
  switch (referenceForm) {
    case 0:
      return `${digits}${letter()}${letter()}`
    case 1:
      return `${digits.slice(0, 3)}.${two()}.${two()}.${digits.slice(3, 5)}.${digits.slice(5)}.0${two()}`
    case 2:
      return `${letter()}${letter()}${letter()}${letter()}${digits}`
    case 3:
      return `${name[0]}${digits}${two()}`
    default:
      return `${digits.slice(0, 4)}/${digits.slice(4)}${letter()}-0${two()}`
  }
}
