// Reads of a watch what titles say of watches: words of its names and specs, colours, metals, sizes and functions, in
// the families that titles are read in.
import { type Scalar, scalarsOf } from '../../specs/vocabulary.ts'
import type { WatchIndex } from '../index/watch-index.ts'
import { readValue, type SpecValue } from './spec-values.ts'

export interface WatchFacts {
  readonly ordinal: number
  readonly brandId: number
  readonly reference: string
  readonly collection: string
  readonly collectionWords: readonly string[]
  /** Its nickname or model name in the specs. */
  readonly nickname: string | undefined
  readonly nicknameWords: readonly string[]
  readonly dials: readonly string[]
  readonly metals: readonly string[]
  readonly straps: readonly string[]
  readonly functions: readonly string[]
  /** Whether the watch has a list of functions, so that one that is missing there is missing. */
  readonly hasFunctions: boolean
  readonly movement: string | undefined
  readonly calibers: readonly string[]
  readonly sizes: readonly number[]
  readonly depth: number | undefined
  readonly introduced: number | undefined
  readonly price: number | undefined
  /** Whether any spec has the word, or the colour. */
  hasWord(word: string): boolean
  hasColor(color: string): boolean
}

type Field =
  | 'dial'
  | 'case'
  | 'strap'
  | 'size'
  | 'function'
  | 'movement'
  | 'caliber'
  | 'depth'
  | 'introduced'
  | 'nickname'

/** What a key is about, by its name: operators choose their own keys. */
const fields: readonly (readonly [Field, RegExp])[] = [
  ['dial', /dial|face/],
  ['case', /^case_material|^material$|^case$/],
  ['strap', /bracelet|strap|band/],
  ['size', /diameter|case_size|^size$|case_width|^width$/],
  ['function', /function|complication|feature/],
  ['movement', /^movement|winding/],
  ['caliber', /cali(?:ber|bre)/],
  ['depth', /water|depth/],
  ['introduced', /introduced|release_year|^year$|launched/],
  ['nickname', /nickname|model_name|^model$|edition|^name$/],
]
const fieldsOfKeys = new Map<string, readonly Field[]>()
const keysMax = 5_000
const valuesMax = 100

interface Kept {
  readonly version: string
  readonly facts: Map<number, WatchFacts>
}
const kept = new WeakMap<WatchIndex, Kept>()
/** Titles of one list are often about the same models. */
const keptMax = 1_000

export function factsOf(index: WatchIndex, ordinal: number): WatchFacts {
  let own = kept.get(index)
  if (own?.version !== index.version) {
    own = { version: index.version, facts: new Map() }
    kept.set(index, own)
  }
  const known = own.facts.get(ordinal)
  if (known !== undefined) return known
  if (own.facts.size === keptMax) own.facts.clear()
  const facts = readFacts(index, ordinal)
  own.facts.set(ordinal, facts)
  return facts
}

function readFacts(index: WatchIndex, ordinal: number): WatchFacts {
  const watch = index.watchAt(ordinal) as {
    readonly reference_number: string
    readonly collection: string
    readonly retail_price_usd: number | null
    readonly current_market_price: number | null
    readonly specs: Readonly<Record<string, unknown>>
  }
  const all: SpecValue[] = []
  const byField: Partial<Record<Field, SpecValue[]>> = {}
  const add = (scalar: Scalar, own: readonly Field[]) => {
    const value = readValue(String(scalar))
    all.push(value)
    for (const field of own) {
      const list = byField[field]
      if (list === undefined) byField[field] = [value]
      else list.push(value)
    }
  }
  for (const key in watch.specs) {
    if (all.length > valuesMax) break
    const value = watch.specs[key]
    const own = fieldsOf(key)
    if (typeof value === 'string' || typeof value === 'number') add(value, own)
    else for (const scalar of scalarsOf(value)) add(scalar, own)
  }
  const of = (field: Field): readonly SpecValue[] => byField[field] ?? none
  const collection = readValue(watch.collection)
  const nickname = of('nickname')[0]
  return {
    ordinal,
    brandId: index.columns.brandId(ordinal),
    reference: watch.reference_number,
    collection: watch.collection,
    collectionWords: collection.list,
    nickname: nickname?.plain,
    nicknameWords: nickname?.list ?? [],
    dials: joined(of('dial'), colorsOf),
    metals: joined(of('case'), metalsOf),
    straps: joined(of('strap'), strapsOf),
    functions: joined([...of('function'), collection, ...of('nickname'), ...of('movement')], functionsOf),
    hasFunctions: of('function').length > 0,
    movement: of('movement')[0]?.movements[0],
    calibers: joined(of('caliber'), listOf),
    sizes: of('size').flatMap(({ lengths }) => lengths),
    depth: depthOf(of('depth')[0]),
    introduced: yearOf(of('introduced')[0]),
    price: watch.current_market_price ?? watch.retail_price_usd ?? undefined,
    hasWord: (word) => all.some(({ words }) => words.has(word)),
    hasColor: (color) => all.some(({ colors }) => colors.includes(color)),
  }
}

const none: readonly SpecValue[] = []
const colorsOf = ({ colors }: SpecValue) => colors
const metalsOf = ({ metals }: SpecValue) => metals
const strapsOf = ({ straps }: SpecValue) => straps
const functionsOf = ({ functions }: SpecValue) => functions
const listOf = ({ list }: SpecValue) => list

/** All that the values say; most often there is only one. */
function joined(
  values: readonly SpecValue[],
  read: (value: SpecValue) => readonly string[],
): readonly string[] {
  const [only] = values
  if (only === undefined) return []
  if (values.length === 1) return read(only)
  const all: string[] = []
  for (const value of values) for (const one of read(value)) if (!all.includes(one)) all.push(one)
  return all
}

function fieldsOf(key: string): readonly Field[] {
  if (fieldsOfKeys.size > keysMax) fieldsOfKeys.clear()
  return fieldsOfKeys.getOrInsertComputed(key, () =>
    fields.filter(([, pattern]) => pattern.test(key.toLowerCase())).map(([field]) => field),
  )
}

function depthOf(value: SpecValue | undefined): number | undefined {
  const [, number, unit = 'm'] = /(\d[\d.,]*) ?([a-z]*)/.exec(value?.plain ?? '') ?? []
  if (number === undefined) return undefined
  const depth = Number(number.replace(/[.,](?=\d{3})/g, '').replace(',', '.'))
  return /^(?:bar|atm)/.test(unit) ? depth * 10 : depth
}

function yearOf(value: SpecValue | undefined): number | undefined {
  const [number] = /\d{4}/.exec(value?.plain ?? '') ?? []
  return number === undefined ? undefined : Number(number)
}
