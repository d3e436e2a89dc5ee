// Spells the spec values of the generated catalogue: the spellings and shares of the sample, with the mixed units,
// cases and synonyms of real sources. Also maps each spelling to its meaning, so that a list of distinct filter
// combinations does not contain one combination in two spellings.
import { type Draw, type Random, weighted } from './random.ts'

interface Meaning {
  readonly share: number
  /** Each spelling with its share. The first spelling names the meaning. */
  readonly spellings: readonly (readonly [string, number])[]
}

/** One meaning per line: its share, then its spellings with shares. The last lines are too rare for a sample of 338. */
const written = {
  movement_type: `
    250 Automatic*158 | Self-winding*46 | automatic*43 | self-winding*4
    47 Manual winding*22 | Hand-wound*23 | manual winding*2 | Manual*2
    23 Quartz*20 | quartz*3
    9 Solar quartz*6 | Eco-Drive solar quartz*2 | Solar quartz (Eco-Drive)*1
    3 Spring Drive*1
    2 Automatic Hi-Beat*1
    1 Eco-Drive, radio-controlled*1
    1 Automatic (micro-rotor)*1 | automatic (micro-rotor)*1
    1 SuperQuartz*1
    1 Automatic with manual winding*1`,
  case_material: `
    234 Stainless steel*161 | stainless steel*40 | Steel*14 | 316L steel*12 | steel*7
    15 Oystersteel*13 | 904L steel*2
    22 Titanium*20 | titanium*4
    5 Grade 5 titanium*3 | grade 5 titanium*1
    3 Grade 2 titanium*1
    15 18k white gold*10 | White gold*5 | white gold*1
    7 18k pink gold*3 | 18k rose gold*3 | Rose gold*2
    6 18k yellow gold*4 | Yellow gold*2
    6 Platinum*5 | 950 platinum*1
    5 Resin*5 | resin*1
    5 Ceramic*4 | Black ceramic*1
    4 Bronze*4 | bronze*1
    3 Carbon*1 | Carbon fibre*1
    3 Lucent Steel*2 | Lucent Steel A223*1
    2 Super Titanium*1
    2 Bioceramic*1
    2 Plastic*1
    1 Aluminium*2 | Aluminum*1
    1 Gold-tone stainless steel*1
    1 Steel and yellow gold*1 | Stainless steel and 18k yellow gold*1
    1 Steel and rose gold*1 | Stainless steel and 18k rose gold*1
    0.5 Tantalum*1
    0.5 Sapphire*1
    0.5 Silver*1 | Sterling silver*1
    0.3 Brass*1
    0.3 Palladium*1 | 950 palladium*1`,
  dial_color: `
    135 Black*108 | black*27
    64 Blue*53 | blue*11
    46 Silver*44 | silver*2 | Silver-toned*2
    27 White*25 | white*2
    12 Green*9 | green*1
    12 Grey*7 | Gray*2 | grey*2
    7 Skeleton*7 | Openworked*2
    4 Orange*3 | orange*1
    3 Navy blue*1
    3 Champagne*2 | champagne*1
    2 Blue-grey*1
    2 Slate grey*1 | Slate*1
    2 Salmon*1
    2 Pink*1
    3 Brown*2 | brown*1
    2 Gold*1
    2 Mother-of-pearl*2 | Mother of pearl*1
    1 Smoked grey*1
    1 Off-white*1
    2 Yellow*1
    1 Ivory*1
    1 Cream*1
    2 Ice blue*1 | Glacier blue*1
    1 Black fumé*1
    1 Green fumé*1
    1 Burgundy*2 | Bordeaux*1
    1 Red*1
    1 Anthracite*1
    1 Turquoise*1
    0.6 Purple*1
    0.6 Copper*1
    0.5 Olive green*1 | Olive*1
    0.5 Meteorite*1
    0.5 Beige*1
    0.4 Rhodium*1
    0.3 Aventurine*1
    0.3 Lavender*1`,
  crystal: `
    275 Sapphire*195 | Sapphire crystal*38 | sapphire crystal*25 | sapphire*18
    12 Mineral*11 | Mineral glass*2 | mineral*1
    12 Acrylic*10 | Plexiglass*2 | Hesalite*3
    14 Domed sapphire*8 | domed sapphire*1 | Sapphire, domed*2
    6 Box sapphire*2 | Box-shaped sapphire*2 | Sapphire, box-shaped*1
    6 Hardlex*1
    2 Bio-sourced plastic*1
    1 Sapphire with Cyclops*1
    1 Resin*1
    1 Cambered sapphire*1`,
  case_shape: `
    258 Round*219 | round*39
    21 Cushion*20 | cushion*1
    21 Octagonal*13 | octagonal*2 | Octagonal, rounded*3 | Rounded octagon*3
    13 Tonneau*13 | tonneau*1
    13 Square*11 | square*1
    6 Rectangular*5 | rectangular*1
    2 Oval*1
    1 Dodecagonal*1
    1 Rounded square*1
    1 Trapezoidal*1
    0.5 Triangular*1
    0.5 TV-shaped*1`,
  bracelet_material: `
    136 Stainless steel*94 | stainless steel*17 | steel*12 | Steel*11
    49 Alligator leather*40 | Alligator*3 | alligator leather*1
    56 Leather*39 | Calfskin leather*7 | Calfskin*6 | Calf leather*2 | leather*2
    19 Rubber*18 | rubber*1
    12 Titanium*11 | titanium*1
    12 Oystersteel*10 | Oystersteel (Jubilee)*2
    7 Resin*6 | resin*1
    5 Silicone*1
    4 Crocodile leather*1
    6 NATO textile*3 | Textile*2 | Fabric*1
    4 Sail canvas*1 | Canvas*1
    4 Shell cordovan*2 | Horween Shell Cordovan*2
    3 Nylon*1
    3 Steel mesh*2 | Milanese mesh*1
    2 Polyurethane*1
    2 Ceramic*1
    2 18k white gold*1 | White gold*1
    2 18k rose gold*1 | Rose gold*1
    2 18k yellow gold*1 | Yellow gold*1
    1 Platinum*1
    1 Satin*1
    1 Suede*1`,
  case_back: `
    46 Sapphire display*20 | Sapphire*26 | Sapphire exhibition*1
    12 Display*5 | See-through*5 | Transparent*2
    14 Solid*8 | Solid steel*4 | solid*2
    4 Screw-down*3 | Screw-lock*1
    3 Titanium*1
    3 Engraved*1
    1 Battery hatch*1`,
  crown: `
    30 Screw-down*28 | screw-down*2
    5 Push-pull*1
    3 Screw-down, Triplock*1
    2 Screw-down, Twinlock*1
    4 At 4 o'clock*1
    2 At 2 o'clock*1
    3 Screw-down, at 4 o'clock*2 | At 4 o'clock, screw-down*1
    2 Left-hand, screw-down*1 | Left side, screw-down*1
    2 Onion*1
    2 Fluted*1
    2 Fluted, blue spinel cabochon*1
    1 Three crowns*1
    1 Bronze*1`,
  numerals: `
    26 Arabic*1
    15 Roman*1
    12 Batons*2 | Baton*1 | Applied batons*1
    4 Breguet*1 | Breguet Arabic*1
    3 Arabic 3, 6, 9*1
    1 California*1
    1 Arabic 3, 6, 9, 12*1`,
  display: `
    13 Analog*5 | Analogue*3
    7 Digital LCD*5 | Digital*2
    3 Analog-digital*2 | Analogue and digital*1 | Analog and digital*1
    1 Mechanical digital*1`,
  strap_closure: `
    12 Pin buckle*4 | Pin*1
    12 Folding clasp*4 | Deployant buckle*3 | Deployant clasp*2
    4 Butterfly clasp*1
    3 Fold-over clasp*1`,
  lume: `
    14 Super-LumiNova*6 | Super-Luminova*2
    3 LumiBrite*1
    2 Chromalight*1
    2 Tritium gas tubes*2 | Tritium micro gas tubes*1
    1 Beige Super-LumiNova*1`,
  certification: `
    33 COSC*31 | COSC chronometer*1
    16 METAS Master Chronometer*10 | Master Chronometer*5 | METAS*1
    3 ISO 6425*1
    2 Patek Philippe Seal*1
    2 Hallmark of Geneva*1 | Geneva Seal*1
    3 Superlative Chronometer*1 | Superlative Chronometer (COSC)*1
    1 1000 Hours Control*1
    1 TIMELAB chronometer*1`,
  antimagnetic: `
    5 15,000 gauss*1
    3 4,800 A/m*1
    2 Soft-iron inner case*1
    1 1,500 gauss*1
    1 16,000 A/m*1
    1 40,000 A/m*1
    1 80,000 A/m*1`,
} as const satisfies Record<string, string>

export type TableKey = keyof typeof written

const tables = Object.fromEntries(
  Object.entries(written).map(([key, text]) => [key, parseTable(text)]),
) as Record<TableKey, Meaning[]>

const draws = Object.fromEntries(
  Object.entries(tables).map(([key, meanings]) => [
    key,
    weighted(meanings.map(({ share, spellings }) => [weighted(spellings), share] as const)),
  ]),
) as Record<TableKey, Draw<Draw<string>>>

/** Draws a meaning by its share, then a spelling of it. */
export function drawSpelling(random: Random, key: TableKey): string {
  return draws[key](random)(random)
}

/** The ways in which sources write a number; the shares are those of the sample. */
const numberForms = {
  diameter: weighted<(mm: number) => unknown>([
    [(mm) => `${mm} mm`, 50],
    [(mm) => `${mm}mm`, 14],
    [(mm) => mm, 36],
  ]),
  waterResistance: weighted<(m: number) => string>([
    [(m) => `${m} m`, 38],
    [(m) => `${m}m`, 11],
    [(m) => `${m / 10} bar`, 24],
    [(m) => `${m / 10} ATM`, 10],
    [(m) => `${m} metres`, 4],
    [(m) => `${feetOf(m)} ft`, 4],
    [(m) => `${m} m / ${feetOf(m)} ft`, 7],
  ]),
  hours: weighted<(h: number) => string>([
    [(h) => `${h} h`, 40],
    [(h) => (h >= 72 && h % 24 === 0 ? `${h / 24} days` : `${h} hours`), 32],
    [(h) => `${h}h`, 10],
    [(h) => `approx. ${h} hours`, 10],
  ]),
  frequency: weighted<(vph: number) => string>([
    [(vph) => `${grouped(vph, ',')} vph`, 60],
    [(vph) => `${vph / 7_200} Hz`, 26],
    [(vph) => `${grouped(vph, "'")} vph`, 8],
    [(vph) => `${vph} A/h`, 6],
  ]),
}

export type NumberForm = keyof typeof numberForms

export function spellNumber(random: Random, form: NumberForm, value: number): unknown {
  return numberForms[form](random)(value)
}

/** Returns the meaning of a spelling: the same text for every spelling of one value. */
export function meaningOf(key: string, spelling: unknown): string {
  const text = String(spelling)
  return meanings.get(`${key} ${text}`) ?? quantityMeaning(key, text) ?? text.toLowerCase()
}

const meanings = new Map(
  Object.entries(tables).flatMap(([key, rows]) =>
    rows.flatMap(({ spellings }) => spellings.map(([text]) => [`${key} ${text}`, spellings[0]?.[0] ?? text])),
  ),
)

function quantityMeaning(key: string, text: string): string | undefined {
  const number = Number.parseFloat(text.replace(/^approx\. /, '').replace(/[,'](?=\d{3})/g, ''))
  if (Number.isNaN(number)) return undefined
  if (key === 'water_resistance') {
    const metres = / ft$/.test(text) && !text.includes(' m ') ? feetToMetres.get(number) : undefined
    if (metres !== undefined) return `${metres} m`
    return `${/bar|ATM/.test(text) ? number * 10 : number} m`
  }
  if (key === 'power_reserve') return `${text.endsWith('days') ? number * 24 : number} h`
  if (key === 'frequency') return `${text.endsWith('Hz') ? number * 7_200 : number} vph`
  return /^(approx\. )?[\d.,']+( ?mm| ?g)?$/.test(text) ? String(number) : undefined
}

/** Metres → feet as engraved on watches, which differs from the exact conversion. */
const engravedFeet = new Map([
  [30, 100],
  [50, 165],
  [100, 330],
  [120, 390],
  [150, 500],
  [200, 660],
  [300, 1_000],
  [500, 1_650],
  [600, 2_000],
  [1_000, 3_300],
])
const feetToMetres = new Map([...engravedFeet].map(([m, feet]) => [feet, m]))

function feetOf(m: number): number {
  return engravedFeet.get(m) ?? Math.round(m * 3.3)
}

function grouped(number: number, separator: string): string {
  return `${Math.floor(number / 1_000)}${separator}${String(number % 1_000).padStart(3, '0')}`
}

function parseTable(text: string): Meaning[] {
  return text
    .trim()
    .split('\n')
    .map((line) => {
      const [, share = '', rest = ''] = /^\s*([\d.]+) (.*)$/.exec(line) ?? []
      const spellings = rest.split(' | ').map((one) => {
        const [spelling = '', weight = ''] = one.split('*')
        return [spelling, Number(weight)] as const
      })
      return { share: Number(share), spellings }
    })
}
