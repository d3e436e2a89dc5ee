// Tests the edit distance and the search for the nearest text.
import { describe, expect, test } from 'vitest'
import { distanceBetween, distanceFromBeginning, findNearest } from './near-texts.ts'

describe('the distance of two texts', () => {
  test.each([
    ['', '', 0],
    ['abc', 'abc', 0],
    ['abc', '', 3],
    ['dail', 'dial', 1],
    ['color', 'colour', 1],
    ['black', 'blank', 1],
    ['kitten', 'sitting', 3],
  ])('%j and %j differ by %i', (one, other, distance) => {
    expect(distanceBetween(one, other)).toBe(distance)
    expect(distanceBetween(other, one)).toBe(distance)
  })
})

describe('the distance of a beginning', () => {
  test.each([
    ['subm', 'submariner', 0],
    ['sumb', 'submariner', 1],
    ['chrnogr', 'chronograph', 1],
    ['rolexx', 'rolex', 1],
    ['', 'rolex', 0],
  ])('%j is as far from a beginning of %j as %i mistakes', (typed, whole, distance) => {
    expect(distanceFromBeginning(typed, whole)).toBe(distance)
  })
})

describe('the nearest text', () => {
  test('is the one with the fewest edits, whatever the case, and the first of several', () => {
    expect(findNearest('OMGEA', ['Oris', 'Omega', 'omega'])).toBe('Omega')
  })

  test('is undefined if no text is similar, or if the text is too short', () => {
    expect(findNearest('Rolex', ['Omega', 'Tudor'])).toBeUndefined()
    expect(findNearest('ab', ['ac'])).toBeUndefined()
  })
})
