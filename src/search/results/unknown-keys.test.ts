import { describe, expect, test } from 'vitest'
import { createEngine } from '../../../test/databases/engines.ts'
import { openFresh } from '../../../test/databases/open-database.ts'
import { buildFresh, storeCatalogue } from '../../../test/search/stored-catalogue.ts'
import { suggestKeys } from './unknown-keys.ts'

describe('did you mean', () => {
  const engine = createEngine()

  async function suggest(...asked: string[]) {
    const { database } = await openFresh(engine)
    const specs = JSON.stringify({
      dial_color: 'Black',
      dial_colors: null,
      water_resistance: '30 m',
      ab: 1,
      cde: [0],
    })
    const watch = {
      brand: 0,
      step: 1,
      collection: 'x',
      reference_number: 'x',
      retail_price_usd: null,
      current_market_price: null,
      specs,
      updated_at: '2026-03-01T00:00:00.000Z',
    }
    await storeCatalogue(database, {
      brands: [{ name: 'Omega', slug: 'omega', aliases: [] }],
      watches: [watch],
    })
    const index = await buildFresh(database)
    return suggestKeys(
      index,
      asked.filter((key) => !index.hasKey(key)),
    )
  }

  test('a key that a watch has is not unknown', async () => {
    expect(await suggest('dial_color', 'water_resistance')).toEqual([])
  })

  test('swapped, missing, wrong and additional characters are corrected, at most two', async () => {
    const asked = [
      'dail_color',
      'dial_colr',
      'dial-color',
      'Dial_Color',
      'dial_colour',
      'water_resistence',
      'dl_colour',
    ]
    expect((await suggest(...asked)).map(({ suggestion }) => suggestion)).toEqual([
      'dial_color',
      'dial_color',
      'dial_color',
      'dial_color',
      'dial_color',
      'water_resistance',
      undefined,
    ])
  })

  test('a short key gets no suggestion, and a key with only null values is unknown', async () => {
    expect(await suggest('ac', 'cdf', 'dial_colors', 'ac')).toEqual([
      { key: 'ac', suggestion: undefined },
      { key: 'cdf', suggestion: 'cde' },
      { key: 'dial_colors', suggestion: 'dial_color' },
    ])
  })
})
