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

describe('the events one can choose', () => {
  test('are exactly those that the service knows, in its order', () => {
    const kinds = eventKinds.map(({ selector }) => selector)
    const types = eventKinds.flatMap(({ types }) => types.map(([type]) => type))
    expect([everyEvent, ...kinds, ...types]).toEqual(eventSelectors)
    expect(deliveredTypes).toEqual([...eventTypes, testEvent])
  })

  test('are sent as all, whatever was chosen before', () => {
    expect(selectorsOf(true, new Set(['watch.created']))).toEqual(['*'])
  })

  test('are sent as their kind alone where a whole kind is chosen', () => {
    const chosen = new Set(['brand.updated', 'watch.deleted', 'watch.*'])
    expect(selectorsOf(false, chosen)).toEqual(['watch.*', 'brand.updated'])
  })

  test('are none where none is chosen, so that the service can say so', () => {
    expect(selectorsOf(false, new Set())).toEqual([])
  })

  test('are turned on and off one by one', () => {
    const on = turned(new Set(['watch.*']), 'brand.*')
    expect([...on]).toEqual(['watch.*', 'brand.*'])
    expect([...turned(on, 'watch.*')]).toEqual(['brand.*'])
  })

  test('are told in words', () => {
    expect(eventsInWords(['*'])).toBe('All events')
    expect(eventsInWords(['watch.*', 'brand.updated'])).toBe('watch.*, brand.updated')
  })
})
