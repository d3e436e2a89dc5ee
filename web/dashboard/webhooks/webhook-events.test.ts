import { describe, expect, test } from 'vitest'
import { eventSelectors, eventTypes, testEvent } from '../../../src/webhooks/event-types.ts'
import {
  deliveredTypes,
  eventKinds,
  eventsInWords,
  everyEvent,
  selectorsOf,
  turned,
} from './webhook-events.ts'

describe('the selectable events', () => {
  test('are exactly those of the service, in its order', () => {
    const kinds = eventKinds.map(({ selector }) => selector)
    const types = eventKinds.flatMap(({ types }) => types.map(([type]) => type))
    expect([everyEvent, ...kinds, ...types]).toEqual(eventSelectors)
    expect(deliveredTypes).toEqual([...eventTypes, testEvent])
  })

  test('are sent as * when all are selected, whatever was selected before', () => {
    expect(selectorsOf(true, new Set(['watch.created']))).toEqual(['*'])
  })

  test('are sent as their kind when the whole kind is selected', () => {
    const chosen = new Set(['brand.updated', 'watch.deleted', 'watch.*'])
    expect(selectorsOf(false, chosen)).toEqual(['watch.*', 'brand.updated'])
  })

  test('are empty when none is selected, so that the service reports the error', () => {
    expect(selectorsOf(false, new Set())).toEqual([])
  })

  test('are selected and deselected one by one', () => {
    const on = turned(new Set(['watch.*']), 'brand.*')
    expect([...on]).toEqual(['watch.*', 'brand.*'])
    expect([...turned(on, 'watch.*')]).toEqual(['brand.*'])
  })

  test('are described in words', () => {
    expect(eventsInWords(['*'])).toBe('All events')
    expect(eventsInWords(['watch.*', 'brand.updated'])).toBe('watch.*, brand.updated')
  })
})
