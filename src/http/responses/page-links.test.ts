// Tests the Link header: the URLs of the neighbouring pages, with all other parameters kept.
import { describe, expect, test } from 'vitest'
import { pageLinks } from './page-links.ts'

const url = 'http://a/api/v1/watches'

/** The links by relation, without the base URL. */
function links(rawQuery: string, page: number, perPage: number, total: number): Record<string, string> {
  const { link: header = '' } = pageLinks(url, rawQuery, { page, perPage }, total)
  const found = [...header.matchAll(/<([^>]*)>; rel="(\w+)"(?:, |$)/g)]
  expect(found.map(([whole]) => whole).join('')).toBe(header)
  return Object.fromEntries(found.map(([, address = '', rel]) => [rel, address.slice(url.length)]))
}

describe('the links', () => {
  test.each([
    [1, 100, { first: 1, next: 2, last: 4 }],
    [2, 100, { first: 1, prev: 1, next: 3, last: 4 }],
    [4, 100, { first: 1, prev: 3, last: 4 }],
    [5, 100, { first: 1, prev: 4, last: 4 }],
    [1_000_000_000, 100, { first: 1, prev: 4, last: 4 }],
  ])('of page %i with %i per page', (page, perPage, pages) => {
    const expected = Object.entries(pages).map(([rel, number]) => [
      rel,
      `?page=${number}&per_page=${perPage}`,
    ])
    expect(links('', page, perPage, 338)).toEqual(Object.fromEntries(expected))
  })

  test.each([
    [0, 25, 1],
    [1, 25, 1],
    [25, 25, 1],
    [26, 25, 2],
    [100, 1, 100],
  ])('of %i watches, %i per page, end at page %i', (total, perPage, last) => {
    expect(links('', 1, perPage, total).last).toBe(`?page=${last}&per_page=${perPage}`)
  })

  test.each([
    ['page=3', ''],
    ['page=3&per_page=2', ''],
    ['page', ''],
    ['a=1&page=3&b=2', 'a=1&b=2&'],
    ['&&a=1&&', 'a=1&'],
    ['pages=1&xpage=2&per_pages=3', 'pages=1&xpage=2&per_pages=3&'],
    ['a=page=1', 'a=page=1&'],
    ['spec[dial_color]=Ice+blue&x=%3C%3E', 'spec[dial_color]=Ice+blue&x=%3C%3E&'],
    ['spec%5Ba%5D%5B%5D=1&spec%5Ba%5D%5B%5D=2', 'spec%5Ba%5D%5B%5D=1&spec%5Ba%5D%5B%5D=2&'],
    ['%70age=3&per%5Fpage=2&a=1', 'a=1&'],
  ])('for %s keep %s', (rawQuery, kept) => {
    expect(links(rawQuery, 3, 2, 100).next).toBe(`?${kept}page=4&per_page=2`)
  })

  test.each(['<', '>', '"', '\\', '^', '`', '{', '|', '}', '\t', '\f'])(
    'encode characters that would end the URL or the header: %j',
    (character) => {
      const { first } = links(`x=${character}y`, 1, 25, 0)
      expect(first).toBe(`?x=${encodeURIComponent(character)}y&page=1&per_page=25`)
    },
  )
})
