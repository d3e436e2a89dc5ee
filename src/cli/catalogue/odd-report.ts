// Reports what looks wrong in the catalogue: what it is, in which watches, and the command that would fix it, ready to be
// copied. A value that cannot be guessed is left open as VALUE.
import { writeScalar } from '../../catalogue/edit/spec-value.ts'
import type { BrandFinder } from '../../catalogue/find-brand.ts'
import type { Found, OddThings } from '../../catalogue/survey/catalogue-stats.ts'
import type { OddKey, OddValue } from '../../catalogue/survey/odd-values.ts'
import { grouped, indented, quoted, shellWord, usd, visible, watchCount } from '../catalogue-texts.ts'

/** Findings shown of each kind, unless all are requested. */
const toldMax = 10

interface Told {
  readonly what: string
  readonly command: string
  /** The members of the finding in JSON, if they are not those of the finding itself. */
  readonly members?: object
}

interface Section {
  /** The name in JSON. */
  readonly name: string
  readonly title: string
  readonly total: number
  readonly told: readonly Required<Told>[]
}

export function describeOdd(odd: OddThings, finder: BrandFinder, all: boolean): string {
  const sections = sectionsOf(odd, finder).filter(({ total }) => total > 0)
  if (sections.length === 0) return 'Nothing looks wrong.'
  return ['Worth a look', ...sections.map((section) => describe(section, all))].join('\n\n')
}

export function oddForPrograms(odd: OddThings, finder: BrandFinder) {
  const lists = sectionsOf(odd, finder).map(({ name, total, told }) => {
    return [name, { total, first: told.map(({ members, command }) => ({ ...members, command })) }] as const
  })
  return Object.fromEntries(lists)
}

function describe({ title, total, told }: Section, all: boolean): string {
  const first = all ? told : told.slice(0, toldMax)
  const lines = first.map(({ what, command }) => `${what}\n${indented(command)}`)
  const more = total - first.length
  if (more > 0) lines.push(`… and ${grouped(more)} more${all ? '' : ': --all shows them'}`)
  return `${title}: ${grouped(total)}\n${indented(lines.join('\n'))}`
}

function sectionsOf(odd: OddThings, finder: BrandFinder): Section[] {
  const { ids, watches } = odd.withoutPrice
  const withoutPrice = { total: watches, first: ids.map((id) => ({ id })) }
  return [
    section('lone_spellings', 'Rare spellings of a common value', odd.loneSpellings, (one) => ({
      what: `${visible(one.key)}: ${quoted(one.value)} in ${watchesOf(one)}, ${quoted(one.near?.value)} in ${grouped(one.near?.watches ?? 0)}`,
      command: mergeValue(one),
    })),
    section('unreadable_units', 'Values that do not read as a quantity', odd.unreadable, (one) => ({
      what: `${visible(one.key)}: ${quoted(one.value)} in ${watchesOf(one)}`,
      command: mergeValue(one),
      members: { ...one, near: one.near ?? null },
    })),
    // The watches with the rarest type, which is the last, are most likely wrong.
    section('mixed_types', 'Keys with values of more than one type', odd.mixedTypes, ({ key, types }) => ({
      what: `${visible(key)}: ${types.map(({ type, ...rest }) => `${type} in ${watchesOf(rest)}`).join(', ')}`,
      command: `watchdata watch edit ${types.at(-1)?.ids[0]} --set ${shellWord(`specs.${key}`)}=VALUE`,
    })),
    section('lone_keys', 'Keys of one watch that look like a misspelled key', odd.oddKeys, (one) => ({
      what: `${visible(one.key)} in watch ${one.ids.join(', ')}, ${visible(one.near.key)} in ${grouped(one.near.watches)}`,
      command: renameKey(one),
    })),
    section('odd_prices', 'Prices far apart', odd.oddPrices, (one) => ({
      what: `watch ${one.id}: retail ${usd(one.retail_price_usd)}, market ${usd(one.current_market_price)}`,
      command: `watchdata watch edit ${one.id} --set current_market_price=VALUE`,
    })),
    section(
      'repeated_references',
      'References that a brand has more than once',
      odd.repeatedReferences,
      ({ brand_id, ...one }) => ({
        what: `${visible(finder.name(brand_id))} ${visible(one.reference_number)}: watches ${one.ids.join(', ')}`,
        // Shows the first of the watches: only the operator can decide which one is right.
        command: `watchdata watch show ${one.ids[0]}`,
        members: { brand: finder.name(brand_id), ...one },
      }),
    ),
    section('without_price', 'Watches without any price', withoutPrice, ({ id }) => ({
      what: `watch ${id}`,
      command: `watchdata watch edit ${id} --set retail_price_usd=VALUE`,
    })),
  ]
}

function section<T extends object>(
  name: string,
  title: string,
  { total, first }: Found<T>,
  tell: (one: T) => Told,
): Section {
  return { name, title, total, told: first.map((one) => ({ members: one, ...tell(one) })) }
}

/** `3 watches (4, 17, 20)`; only the first ids if there are many. */
function watchesOf({ watches, ids }: { readonly watches: number; readonly ids: readonly number[] }): string {
  const more = watches > ids.length ? ' …' : ''
  return `${watchCount(watches)} (${ids.join(', ')}${more})`
}

function mergeValue({ key, value, near }: OddValue): string {
  const into = near === undefined ? 'VALUE' : shellWord(writeScalar(near.value))
  const words = `${shellWord(key)} ${shellWord(String(value))}`
  return beginWithDash(key, String(value))
    ? `watchdata spec merge-values --into ${into} -- ${words}`
    : `watchdata spec merge-values ${words} --into ${into}`
}

function renameKey({ key, near }: OddKey): string {
  const dash = beginWithDash(key, near.key) ? '-- ' : ''
  return `watchdata spec rename ${dash}${shellWord(key)} ${shellWord(near.key)}`
}

/** Words that begin with a dash would be parsed as options. */
function beginWithDash(...words: readonly string[]): boolean {
  return words.some((word) => word.startsWith('-'))
}
