import { describe, expect, test } from 'vitest'
import type { Change, NewChange } from '../changes/log.ts'
import { stateOfDeleted, watchBefore, watchStateText } from './watch-before.ts'
import { stateOf, type WatchState } from './watches.ts'

const at = '2026-03-01T12:00:00.000Z'

function changeOf(type: NewChange['type'], data?: string): Change {
  const change = { sequence: 9, type, subjectId: 1, at, commitId: '' }
  return data === undefined ? change : { ...change, data: JSON.parse(data) }
}

const row = {
  id: 1,
  brand_id: 4,
  collection: 'Submariner',
  reference_number: '126610',
  retail_price_usd: 9_100,
  current_market_price: null,
  specs: '{"2":"x","b":1,"__proto__":{"__proto__":"deep"},"constructor":[null]}',
  updated_at: '2026-03-01T11:59:59.900Z',
}
const state = stateOf(row, 'Rolex')

describe('the state of a watch', () => {
  test('is written in the field order of the API, with keys of any name', () => {
    expect(watchStateText(state)).toBe(
      `{"id":1,"brand":"Rolex","collection":"Submariner","reference_number":"126610","retail_price_usd":9100,` +
        `"current_market_price":null,"specs":${row.specs},"updated_at":"2026-03-01T11:59:59.900Z"}`,
    )
  })

  test('before an update has the old fields and specs, and no specs that the update added', () => {
    const changes = `{"changes":{"brand":{"old":"Crown","new":"Rolex"},"collection":{"old":"","new":"Submariner"},
      "specs.__proto__":{"old":["old"],"new":{"__proto__":"deep"}},"specs.constructor":{"old":null,"new":[null]},
      "specs.b":{"old":false,"new":1},"specs.collection":{"old":"gone","new":null}}}`
    const before = watchBefore(state, changeOf('watch.updated', changes)) as WatchState
    expect(watchStateText(before)).toBe(
      `{"id":1,"brand":"Crown","collection":"","reference_number":"126610","retail_price_usd":9100,` +
        `"current_market_price":null,"specs":{"2":"x","b":false,"__proto__":["old"],"collection":"gone"},` +
        `"updated_at":"2026-03-01T11:59:59.899Z"}`,
    )
    expect(Object.getPrototypeOf(before.specs)).toBe(Object.prototype)
    // The state after the update is not modified.
    expect(JSON.stringify(state.specs)).toBe(row.specs)
  })

  test('before a price change has the old price', () => {
    const prices = `{"old":{"retail_price_usd":null,"current_market_price":5},"new":{"retail_price_usd":9100,"current_market_price":null}}`
    expect(watchBefore(state, changeOf('watch.price_changed', prices))).toEqual({
      ...state,
      retail_price_usd: null,
      current_market_price: 5,
      updated_at: '2026-03-01T11:59:59.899Z',
    })
  })

  test('never has a later time than the state after it', () => {
    const late = { ...state, updated_at: '2026-03-01T13:00:00.000Z' }
    expect(watchBefore(late, changeOf('watch.updated', '{"changes":{}}'))?.updated_at).toBe(at)
    expect(watchBefore(state, changeOf('watch.updated', '{"changes":{}}'))?.updated_at).toBe(
      '2026-03-01T11:59:59.899Z',
    )
  })

  test('before a creation does not exist, and before a deletion is what the log has stored', () => {
    expect(watchBefore(state, changeOf('watch.created'))).toBeUndefined()
    const deleted = changeOf('watch.deleted', `{"last":${watchStateText(state)}}`)
    expect(watchBefore(state, deleted)).toEqual(state)
    expect(watchStateText(stateOfDeleted(deleted) as WatchState)).toBe(watchStateText(state))
  })

  test('stays the same if an older log does not store what changed', () => {
    expect(stateOfDeleted(changeOf('watch.deleted'))).toBeUndefined()
    const { updated_at: _, ...fields } = state
    expect(watchBefore(state, changeOf('watch.updated'))).toMatchObject(fields)
    expect(watchBefore(state, changeOf('watch.price_changed'))).toMatchObject(fields)
    expect(watchBefore(state, changeOf('brand.updated'))).toBe(state)
  })
})
