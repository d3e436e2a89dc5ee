import { describe, expect, test } from 'vitest'
import { classOf, countByClass, countsText, hasRequests, totalOf } from './status-classes.ts'

describe('the class of a status', () => {
  test.each([
    [200, 'answered'],
    [201, 'answered'],
    [204, 'answered'],
    [304, 'unchanged'],
    [400, 'yours'],
    [401, 'yours'],
    [422, 'yours'],
    [429, 'refused'],
    [431, 'yours'],
    [499, 'yours'],
    [500, 'ours'],
    [503, 'ours'],
  ])('of %d is %s', (status, id) => expect(classOf(status)).toBe(id))
})

describe('the requests of a day', () => {
  const counts = countByClass({ 200: 12, 204: 1, 304: 4, 404: 2, 422: 1, 429: 3, 503: 1 })

  test('are added up by class', () =>
    expect(counts).toEqual({ answered: 13, unchanged: 4, refused: 3, yours: 3, ours: 1 }))

  test('are each counted exactly once', () => expect(totalOf(counts)).toBe(24))

  test('are described without the classes that have none', () =>
    expect(countsText(countByClass({ 200: 2, 429: 1 }))).toBe('2 successful, 1 over quota'))

  test('are described with the right singular and plural', () => {
    expect(countsText(countByClass({ 200: 26, 422: 5, 500: 1 }))).toBe(
      '26 successful, 5 client errors, 1 server error',
    )
    expect(countsText(countByClass({ 304: 1, 404: 1, 503: 2 }))).toBe(
      '1 not modified, 1 client error, 2 server errors',
    )
  })

  test('are described as none when there are none', () =>
    expect(countsText(countByClass({}))).toBe('no requests'))

  test('are found even if they cost no quota', () => {
    const day = { date: '2026-03-01', used: 0 }
    expect(hasRequests([])).toBe(false)
    expect(hasRequests([{ ...day, statuses: {} }])).toBe(false)
    expect(
      hasRequests([
        { ...day, statuses: {} },
        { ...day, statuses: { 304: 1 } },
      ]),
    ).toBe(true)
  })
})
