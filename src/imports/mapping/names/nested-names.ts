// Reads the name of a nested column: `specifications.Case material`, `pricing.retail`, `C:Brand`, or the metafield of a
// shop. Names around it that only say where the value is kept are dropped.
import { wordsOf } from '../header-words.ts'

interface NestedName {
  /** The name without the names that say nothing, from which the key of a spec is made. */
  readonly own: string
  /** Names that the column may stand for, the likeliest first. */
  readonly names: readonly FlatName[]
}

interface FlatName {
  readonly name: string
  /** The only specs that the name may stand for here; the empty string stands for all fields. */
  readonly keys?: readonly string[]
  /** The name was taken out of its group: it counts only if no other column of the file has the same target. */
  readonly isLoose?: true
}

/** Objects that only hold the values of a watch, without saying more about them. */
const holders: ReadonlySet<string> =
  setOf(`specifications, specification, spec, specs, technical specifications,
  technical details, technical data, technical, tech, technik, watch details, watch info, attributes, attribute, additional attributes, attrs, options, option,
  details, detail, product details, properties, property, additional property, additional properties, product, watch,
  characteristics, features, fields, data, item, item specifics, name value list, aspects, localized aspects, info,
  information, general, overview, key facts, facts, highlights, other, others, miscellaneous, misc, allgemein, allgemeines,
  basisdaten, sonstiges, general information, basic, basics, basic info, main, metafields, meta, custom, additional, params, parameters, node,
  nodes, edges, selected options, master variant, offers, offer, price specification, merkmale, eigenschaften,
  technische daten, produktdaten, caracteristiques, fiche technique,
  caratteristiche, caracteristicas, 仕様, スペック, 商品情報, 詳細`)
/** Objects around a whole record: of Elasticsearch, and of commercetools. */
const wrapper = /^(?:_source|masterData\.current)\./
/** The object of one variant, which is the watch. Its title, its weight and the like are not those of the product. */
const variantNames: ReadonlySet<string> = setOf('variant, variants')
const variantKeys = ['', 'sku', 'barcode', 'ean', 'upc', 'gtin']
const brandNames: ReadonlySet<string> = setOf('brand, brands, manufacturer, maker, marke, hersteller, marque')
const labelNames: ReadonlySet<string> = setOf('name, label, title')
/** Prefixes of eBay: `C:` for item specifics, `P:` for product identifiers. */
const shortHolders: ReadonlySet<string> = new Set(['c', 'p', 'product'])
const priceWords: ReadonlySet<string> = setOf('price, prices, pricing, preis, preise, prix')
/** `price.discount` is no price, though `Discount price` is one. */
const deductions: ReadonlySet<string> = setOf('discount, discounts, reduced, reduction')
const valueWords: ReadonlySet<string> = setOf('value, values, amount, text, label')
/** Part of a watch → specs that may be kept in it, though their names do not mention the part. */
const partKeys: Readonly<Record<string, readonly string[]>> = {
  movement: ['caliber', 'power_reserve', 'frequency', 'jewels', 'functions', 'certification'],
  case: ['water_resistance', 'crystal', 'lug_width', 'lug_to_lug', 'bezel', 'crown'],
  dial: ['numerals', 'lume'],
  dimensions: ['case_diameter', 'thickness', 'lug_width', 'lug_to_lug'],
  measurements: ['case_diameter', 'thickness', 'lug_width', 'lug_to_lug'],
  abmessungen: ['case_diameter', 'thickness', 'lug_width', 'lug_to_lug'],
  bracelet: ['strap_closure'],
  strap: ['strap_closure'],
}

/** Specs whose names say what they are in any group: `Caliber: {"Power reserve": "60 h"}`. */
const plainKeys =
  `movement_type case_material dial_color water_resistance crystal power_reserve bracelet_material
  bracelet_color lug_width lug_to_lug caliber frequency jewels functions bezel bezel_material case_back crown
  strap_closure numerals lume`.split(/\s+/)
/** Specs that a name of several words tells in any group. One word is not enough: a movement has a diameter, too. */
const wordyKeys = [
  ...plainKeys,
  ...'case_diameter thickness case_shape year year_introduced limited_edition'.split(' '),
]
/** Groups that are about something else than the watch itself. */
const otherThings: ReadonlySet<string> =
  setOf(`seller, dealer, shop, store, merchant, vendor, company, owner, user,
  shipping, delivery, package, packaging, box, accessories, accessory, included, extras, related, similar, variants,
  reviews, review`)

const head = /^\*?([^.:]+)(?:\.(?=\S)|(:)\s*)(.+)$/su
/** `Case size (product.metafields.custom.case_size)` of Shopify, and `Metafield: custom.case_size [dimension]` of Matrixify. */
const metafield =
  /^(.+?)\s*\((?:product|variant)\.metafields\.[^()]*\)$|^(?:variant )?metafield: ?(?:[\w-]+\.)?([^[\]]*[^[\]\s])\s*(?:\[[^[\]]*\])?$/is
const headsMax = 8
/** A shorter name may begin another word by chance. Compounds count: `Gehäuse` begins `Gehäusedurchmesser`. */
const groupCharsMin = 4

/** Undefined if the name is not nested. */
export function readPath(name: string): NestedName | undefined {
  const [, field = name, ofMatrixify = field] = metafield.exec(name) ?? []
  const bare = withoutHolders(ofMatrixify.replace(wrapper, ''))
  const path = bare.split(/\.(?=\S)/)
  if (bare === name && path.length === 1) return undefined
  const said = path.filter(
    (part, at) => !holders.has(folded(part)) && !(at > 0 && valueWords.has(folded(part))),
  )
  if (said.length === 0) return { own: bare, names: [{ name: bare }] }
  const [leaf = '', part = ''] = [said.at(-1), said.at(-2)]
  const own = withoutRepeats(said).join(' ')
  const names: FlatName[] = [{ name: bare }, { name: own }]
  const others = said.filter((part) => !priceWords.has(folded(part)))
  if (others.length < said.length && !deductions.has(folded(said.at(-1) ?? ''))) {
    names.push({ name: [...others, 'price'].join(' ') })
    if (others.length > 0) names.push({ name: others.join(' ') })
  }
  const keys = partKeys[folded(part)]
  if (keys !== undefined) names.push({ name: leaf, keys })
  const [first = '', ...ofVariant] = said
  if (variantNames.has(folded(first)) && ofVariant.length > 0) {
    names.push(...readVariant(ofVariant).map((one) => ({ name: one, keys: variantKeys })))
  }
  if (said.length === 2 && brandNames.has(folded(part)) && labelNames.has(folded(leaf))) {
    names.push({ name: part, keys: [''] })
  }
  if (said.length > 1 && !said.some((one) => otherThings.has(folded(one)))) {
    const ofLeaf = wordsOf(leaf).length > 1 ? wordyKeys : plainKeys
    names.push({ name: `${part} ${leaf}`, keys: wordyKeys, isLoose: true })
    names.push({ name: leaf, keys: ofLeaf, isLoose: true })
  }
  return { own, names }
}

/** `variants.price` is the price, and `variants.prices.retail` the retail price. */
function readVariant(path: readonly string[]): string[] {
  const others = path.filter((part) => !priceWords.has(folded(part)))
  const named = others.length === path.length ? [] : [[...others, 'price'].join(' '), others.join(' ')]
  return [path.join(' '), ...named].filter((name) => name !== '')
}

/** Drops a group whose name the next one begins with: `Case` of `Case: {"Case finish": …}`. */
function withoutRepeats(path: readonly string[]): string[] {
  const names = path.map(folded)
  return path.filter((_, at) => {
    const [group = '', next = ''] = names.slice(at)
    return group.length < groupCharsMin || !next.startsWith(group)
  })
}

function withoutHolders(name: string): string {
  let rest = name
  for (let heads = 0; heads < headsMax; heads++) {
    const [, first = '', colon, behind = ''] = head.exec(rest) ?? []
    const isHolder = holders.has(folded(first)) || (colon !== undefined && shortHolders.has(folded(first)))
    if (!isHolder || behind === '') break
    rest = behind
  }
  return rest
}

function folded(part: string): string {
  return wordsOf(part).join('')
}

function setOf(list: string): Set<string> {
  return new Set(list.split(/,\s+/).map(folded))
}
