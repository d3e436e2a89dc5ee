// Reports what looks wrong in the catalogue: what it is, in which watches, and the command that would fix it.

import type { BrandFinder } from '../../catalogue/find-brand.ts'
import type { Found, OddThings } from '../../catalogue/survey/catalogue-stats.ts'
import { grouped, indented, quoted, usd, visible, watchCount } from '../catalogue-texts.ts'
import { mendKey, mendMissingPrice, mendPrice, mendReference, mendType, mendValue } from './mend-commands.ts'

/** Findings shown of each kind, unless all are requested. */
const toldMax = 10

interface Told {
  readonly what: string
  readonly mend: string
}

interface Section {
  readonly title: string
  readonly total: number
  readonly told: readonly Told[]
}

export function describeOdd(odd: OddThings, finder: BrandFinder, all: boolean): string {
  const sections = sectionsOf(odd, finder).filter(({ total }) => total > 0)
  if (sections.length === 0) return 'Nothing looks wrong.'
  return ['Worth a look', ...sections.map((section) => describe(section, all))].join('\n\n')
}

function describe({ title, total, told }: Section, all: boolean): string {
  const first = all ? told : told.slice(0, toldMax)
  const lines = first.map(({ what, mend }) => `${what}\n${indented(mend)}`)
  const more = total - first.length
  if (more > 0) lines.push(`… and ${grouped(more)} more${all || total === 0 ? '' : ': --all shows them'}`)
  return `${title}: ${grouped(total)}\n${indented(lines.join('\n'))}`
}

function sectionsOf(odd: OddThings, finder: BrandFinder): Section[] {
  const section = <T>(title: string, { total, first }: Found<T>, tell: (one: T) => Told): Section => ({
    title,
    total,
    told: first.map(tell),
  })
  const { withoutPrice } = odd
  return [
    section('Rare spellings of a common value', odd.loneSpellings, (one) => ({
      what: `${visible(one.key)}: ${quoted(one.value)} in ${watchesOf(one)}, ${quoted(one.near?.value)} in ${grouped(one.near?.watches ?? 0)}`,
      mend: mendValue(one),
    })),
    section('Values that do not read as a quantity', odd.unreadable, (one) => ({
      what: `${visible(one.key)}: ${quoted(one.value)} in ${watchesOf(one)}`,
      mend: mendValue(one),
    })),
    section('Keys with values of more than one type', odd.mixedTypes, (one) => ({
      what: `${visible(one.key)}: ${one.types.map(({ type, ...rest }) => `${type} in ${watchesOf(rest)}`).join(', ')}`,
      mend: mendType(one),
    })),
    section('Keys of one watch that look like a misspelled key', odd.oddKeys, (one) => ({
      what: `${visible(one.key)} in watch ${one.ids.join(', ')}, ${visible(one.near.key)} in ${grouped(one.near.watches)}`,
      mend: mendKey(one),
    })),
    section('Prices far apart', odd.oddPrices, (one) => ({
      what: `watch ${one.id}: retail ${usd(one.retail_price_usd)}, market ${usd(one.current_market_price)}`,
      mend: mendPrice(one),
    })),
    section('References that a brand has more than once', odd.repeatedReferences, (one) => ({
      what: `${visible(finder.name(one.brand_id))} ${visible(one.reference_number)}: watches ${one.ids.join(', ')}`,
      mend: mendReference(one),
    })),
    {
      title: 'Watches without any price',
      total: withoutPrice.watches,
      told: withoutPrice.ids.map((id) => ({ what: `watch ${id}`, mend: mendMissingPrice(id) })),
    },
  ]
}

/** `3 watches (4, 17, 20)`; only the first ids if there are many. */
function watchesOf({ watches, ids }: { readonly watches: number; readonly ids: readonly number[] }): string {
  const more = watches > ids.length ? ' …' : ''
  return `${watchCount(watches)} (${ids.join(', ')}${more})`
}

export function oddForPrograms(odd: OddThings, finder: BrandFinder) {
  const list = <T>({ total, first }: Found<T>, describe: (one: T) => object) => ({
    total,
    first: first.map(describe),
  })
  return {
    lone_spellings: list(odd.loneSpellings, (one) => ({ ...one, command: mendValue(one) })),
    unreadable_units: list(odd.unreadable, (one) => ({
      ...one,
      near: one.near ?? null,
      command: mendValue(one),
    })),
    mixed_types: list(odd.mixedTypes, (one) => ({ ...one, command: mendType(one) })),
    lone_keys: list(odd.oddKeys, (one) => ({ ...one, command: mendKey(one) })),
    odd_prices: list(odd.oddPrices, (one) => ({ ...one, command: mendPrice(one) })),
    repeated_references: list(odd.repeatedReferences, ({ brand_id, ...one }) => ({
      brand: finder.name(brand_id),
      ...one,
      command: mendReference({ brand_id, ...one }),
    })),
    without_price: {
      total: odd.withoutPrice.watches,
      first: odd.withoutPrice.ids.map((id) => ({ id, command: mendMissingPrice(id) })),
    },
  }
}
