import { describe, expect, test } from 'vitest'
import { filterOf, readableFilter } from './webhook-filter.ts'

describe('a filter', () => {
  test.each([
    ['brand=Rolex&spec[dial_color]=blue', 'brand=Rolex&spec[dial_color]=blue'],
    ['  ?brand=Rolex ', 'brand=Rolex'],
    ['https://watches.example.com/explore?brand=Rolex&page=3&sort=-updated_at', 'brand=Rolex'],
    ['/explore?spec%5Bdial_color%5D=blue&per_page=50#top', 'spec%5Bdial_color%5D=blue'],
    ['http://localhost:8080/api/v1/watches?q=moon&fields=id', 'q=moon'],
    ['q=what?', 'q=what?'],
    ['colour', 'colour'],
    ['sort=brand', 'sort=brand'],
    ['', ''],
  ])('given as %s is read as %s', (written, filter) => {
    expect(filterOf(written)).toBe(filter)
  })

  test('is shown decoded, or unchanged if it cannot be decoded', () => {
    expect(readableFilter('spec%5Bdial_color%5D=deep+blue')).toBe('spec[dial_color]=deep blue')
    expect(readableFilter('q=100%')).toBe('q=100%')
  })
})
