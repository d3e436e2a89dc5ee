// Tests the table of nicknames: what its lines mean, and which sentence tells about a wrong line.
import { describe, expect, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { parseNicknames, readNicknames } from './nicknames.ts'

const table = `
# a comment
[brands]
Audemars Piguet = AP = Audemars   # short
[filters]
Dive watch = Diver: spec[water_resistance][gte]=200 m
[Rolex]
Pepsi: 1675, 126710BLRO
Sub = Submariner Date: "Submariner", 1168*
`

test('a nickname stands for references, beginnings of references and collections of its brand', () => {
  const { watches } = parseNicknames(table, 'table.txt')
  expect(watches).toEqual([
    {
      brand: 'Rolex',
      names: ['Pepsi'],
      targets: [
        { kind: 'reference', written: '1675', folded: '1675', isPrefix: false },
        { kind: 'reference', written: '126710BLRO', folded: '126710blro', isPrefix: false },
      ],
    },
    {
      brand: 'Rolex',
      names: ['Sub', 'Submariner Date'],
      targets: [
        { kind: 'collection', written: '"Submariner"', words: ['submariner'] },
        { kind: 'reference', written: '1168*', folded: '1168', isPrefix: true },
      ],
    },
  ])
})

test('short names of brands and everyday words for filters have sections of their own', () => {
  const { brands, filters } = parseNicknames(table, 'table.txt')
  expect(brands).toEqual([['Audemars Piguet', 'AP', 'Audemars']])
  expect(filters).toEqual([
    { names: ['Dive watch', 'Diver'], query: 'spec[water_resistance][gte]=200 m', place: 'table.txt:6' },
  ])
})

test('the digest depends on the meaning, not on comments', () => {
  const digest = (text: string) => parseNicknames(text, 'table.txt').digest
  expect(digest(table.replace('# a comment', ''))).toBe(digest(table))
  expect(digest(table.replace('1675', '1676'))).not.toBe(digest(table))
})

describe('a wrong line is named with its place', () => {
  test.each([
    ['Hulk: 116610LV', 't:1: a section such as [Rolex] must come first.'],
    ['[]', 't:1: a section is written [Brand], [brands] or [filters].'],
    ['[Rolex]\nHulk', 't:2: a line is written Nickname = Other nickname: what it stands for.'],
    ['[Rolex]\nHulk:', 't:2: a line is written Nickname = Other nickname: what it stands for.'],
    ['[Rolex]\nHulk = !: 1', 't:2: “!” is no name: it has no letter or digit.'],
    [
      '[Rolex]\nHulk: 1, , 2',
      't:2: “” must be a reference, the beginning of one and a *, or a collection in quotes.',
    ],
    [
      '[Rolex]\nHulk: *',
      't:2: “*” must be a reference, the beginning of one and a *, or a collection in quotes.',
    ],
    ['[brands]\nRolex', 't:2: a brand is written Name = Short name, with two names or more.'],
    [
      '[brands]\nRolex = Rollie\nRolex = Crown',
      't: Rolex has two lines in [brands]; write all its names in one.',
    ],
    ['[brands]\nA = X\nB = x', 't: A and B have the same short name; keep it once.'],
  ])('%j', (text, message) => {
    expect(() => parseNicknames(text, 't')).toThrow(message)
  })

  test('a file that cannot be read is named', async () => {
    await expect(readNicknames('/nowhere')).rejects.toThrow(
      'The nicknames in /nowhere cannot be read: ENOENT.',
    )
  })
})

test('the table of the package has at least 120 nicknames', async () => {
  const { watches } = await readNicknames(parseConfig({}).nicknamesFile)
  expect(new Set(watches.map(({ brand, names }) => `${brand} ${names[0]}`)).size).toBeGreaterThanOrEqual(120)
})
