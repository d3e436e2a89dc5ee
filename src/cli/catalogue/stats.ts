// `watchdata stats`: prints how large and how complete the catalogue is, and what in it looks wrong.

import { BrandFinder } from '../../catalogue/find-brand.ts'
import { type CatalogueStats, readStats } from '../../catalogue/survey/catalogue-stats.ts'
import { readVocabulary } from '../../specs/read-vocabulary.ts'
import { tellProgress } from '../catalogue-care.ts'
import { grouped, percent, visible } from '../catalogue-texts.ts'
import { withCurrentDatabase } from '../database-command.ts'
import { type CommonOptions, print, printJson, table } from '../output.ts'
import { describeOdd, oddForPrograms } from './odd-report.ts'

type StatsOptions = CommonOptions & { readonly all?: boolean }

const keysShown = 30
const barWidth = 20

export async function statsCommand({ json = false, all = false }: StatsOptions): Promise<void> {
  const { onProgress, clear } = tellProgress('Reading', json)
  const { stats, finder } = await withCurrentDatabase(async (database, config) => {
    const vocabulary = await readVocabulary(config)
    return database.snapshot(async (view) => ({
      stats: await readStats(view, vocabulary, onProgress),
      finder: await BrandFinder.read(view),
    }))
  }).finally(clear)
  if (json) printJson(forPrograms(stats, finder, all))
  else print([totals(stats), coverage(stats, all), describeOdd(stats.odd, finder, all)].join('\n\n'))
}

function forPrograms(stats: CatalogueStats, finder: BrandFinder, all: boolean) {
  const { brands, watches, keys, withRetail, withMarket, priceLines, areKeysCut, odd } = stats
  return {
    brands,
    watches,
    spec_keys: presentKeys(stats),
    prices: {
      retail: withRetail,
      market: withMarket,
      none: odd.withoutPrice.watches,
      history_lines: priceLines,
    },
    coverage: (all ? keys : keys.slice(0, keysShown)).map(({ key, occurrence, values, isCut }) => ({
      key,
      watches: occurrence.watches,
      percent: watches === 0 ? 0 : Math.round((occurrence.watches / watches) * 1_000) / 10,
      values: values.size,
      has_more_values: isCut,
    })),
    has_more_keys: areKeysCut,
    odd: oddForPrograms(odd, finder),
  }
}

function totals(stats: CatalogueStats): string {
  const { brands, watches, withRetail, withMarket, priceLines, areKeysCut } = stats
  return table(
    [
      ['Brands', grouped(brands), ''],
      ['Watches', grouped(watches), ''],
      ['Spec keys', `${grouped(presentKeys(stats))}${areKeysCut ? '+' : ''}`, ''],
      ['With a retail price', grouped(withRetail), percent(withRetail, watches)],
      ['With a market price', grouped(withMarket), percent(withMarket, watches)],
      ['Lines of price history', grouped(priceLines), ''],
    ],
    [1, 2],
  )
}

function coverage({ keys, watches }: CatalogueStats, all: boolean): string {
  const told = all ? keys : keys.slice(0, keysShown)
  const rows = told.map(({ key, occurrence, values, isCut }) => [
    visible(key),
    grouped(occurrence.watches),
    percent(occurrence.watches, watches),
    bar(occurrence.watches, watches),
    `${grouped(values.size)}${isCut ? '+' : ''}`,
  ])
  const more = keys.length - told.length
  const rest = more > 0 ? `\n… and ${grouped(more)} more: --all shows them.` : ''
  return table([['spec key', 'watches', '', '', 'values'], ...rows], [1, 2, 4]) + rest
}

function bar(part: number, whole: number): string {
  const rounded = whole === 0 ? 0 : Math.round((part / whole) * barWidth)
  // The bar is full only if no watch lacks the key, and empty only if no watch has it.
  const full = part === whole ? rounded : Math.min(Math.max(rounded, Math.min(part, 1)), barWidth - 1)
  return `${'█'.repeat(full)}${'░'.repeat(barWidth - full)}`
}

/** Counts the keys that watches have. `keys` also lists common keys that no watch has. */
function presentKeys({ keys }: CatalogueStats): number {
  return keys.filter(({ occurrence }) => occurrence.watches > 0).length
}
