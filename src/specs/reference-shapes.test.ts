import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageRoot } from '../config.ts'
import { foldReference } from './fold.ts'
import { parseReferenceShapes, referenceShapes } from './reference-shapes.ts'

const parse = (text: string) => parseReferenceShapes(text, 'references.txt')

describe('the shapes of references', () => {
  const rolex = parse('[Rolex]\n(m)19{5}|A{0,4}(-9{4})  # 126610LN\n16{2}/1  # 66\n[Cartier]\nw9{5}A9').of(
    'Rolex',
  )

  test.each([
    ['126610', { whole: '126610', base: '126610', isBase: true }],
    ['126610ln', { whole: '126610ln', base: '126610', isBase: false }],
    ['m126610ln0001', { whole: '126610ln0001', base: '126610', isBase: false }],
    ['1661', { whole: '1661', base: '1661', isBase: false }],
  ])('%s is divided into its base and the rest', (folded, expected) => {
    expect(rolex?.match(folded)).toEqual(expected)
  })

  test.each(['226610ln', '126610abcde', 'w69012z4', '', 'x'.repeat(100)])(
    '“%s” has none of them',
    (folded) => {
      expect(rolex?.match(folded)).toBeUndefined()
    },
  )

  test('they hold for the brand however it is spelled, and for no other', () => {
    const shapes = parse('[A. Lange & Söhne]\n9{3}|.9{3}')
    expect(shapes.of('A Lange und Sohne')?.match('101021')).toBeDefined()
    expect(shapes.of('Omega')).toBeUndefined()
  })

  test('the letters of the maker before a reference are known', () => {
    expect(parse('[JLC]\n(q)9{4}|9{3}\n(q)9{3}t|9').of('JLC')?.leads).toEqual(['q'])
  })
})

describe('the endings of references', () => {
  const shapes = parse(
    '[Rolex]\n19{5}|A{0,4}(-9{4})\n[Casio]\ndw-9{4}|A{0,3}(-9*{0,5})\n[endings]\nRolex: -9{4}\nCasio: |AA',
  )

  test('an ending that tells no watches apart is left out', () => {
    expect(shapes.of('Rolex')?.withoutEnding('126610ln0001')).toEqual(['126610ln'])
    expect(shapes.of('Rolex')?.withoutEnding('126610ln')).toEqual([])
  })

  test('an ending of variants is left out only behind a variant', () => {
    expect(shapes.of('Casio')?.withoutEnding('dw56001er')).toEqual(['dw56001'])
    expect(shapes.of('Casio')?.withoutEnding('dw5600bb')).toEqual([])
  })
})

test('successors are found from both sides', () => {
  const shapes = parse('[successors]\n116610LN = 126610LN  # 2020\n16610 = 116610LN')
  expect(shapes.successors('116610ln')).toEqual(['126610LN'])
  expect(shapes.predecessors('116610ln')).toEqual(['16610'])
  expect(shapes.successors('126610ln')).toEqual([])
})

test.each([
  ['9{3}', 'references.txt:1: a section such as [Rolex] must come first.'],
  ['[]', 'references.txt:1: a section is written'],
  ['[Rolex]\n9{3', 'references.txt:2: “9{3” is no shape'],
  ['[Rolex]\n(9{3}', 'references.txt:2: “(9{3}” is no shape'],
  ['[Rolex]\n9|9|9', 'references.txt:2: “9|9|9” is no shape'],
  ['[Rolex]\n9(|9)', 'references.txt:2: “9(|9)” is no shape'],
  ['[Rolex]\nB9', 'references.txt:2: “B9” is no shape'],
  ['[successors]\n116610LN', 'references.txt:2: a successor is written older = newer.'],
  ['[endings]\nAA', 'references.txt:2: endings are written Brand: shape, shape.'],
])('%j is refused with its line', (text, message) => {
  expect(() => parse(text)).toThrow(message)
})

test('every reference of the sample has a shape of its brand, if the brand has shapes', () => {
  const lines = readFileSync(path.join(packageRoot, 'catalogue', 'watches.ndjson'), 'utf8')
    .trim()
    .split('\n')
  const missing = lines
    .map((line) => JSON.parse(line) as { brand: string; reference_number: string })
    .filter(({ brand, reference_number }) => {
      return referenceShapes().of(brand)?.match(foldReference(reference_number)) === undefined
    })
    .map(({ brand }) => brand)
  expect(new Set(missing)).toEqual(new Set(['F.P. Journe', 'Stowa']))
})

test('every example in a comment of the table has the shape that it stands behind', () => {
  const file = path.join(packageRoot, 'catalogue', 'references.txt')
  const wrong: string[] = []
  let brand = ''
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const [, section] = /^\[(.+)\]$/.exec(line) ?? []
    if (section !== undefined) brand = section
    const [, , examples] = /^([^#\s][^#]*?)\s+# ([^;]+)/.exec(line) ?? []
    if (examples === undefined || brand === 'successors' || brand === 'endings') continue
    const shapes = referenceShapes().of(brand)
    for (const example of examples.split(', '))
      if (shapes?.match(foldReference(example)) === undefined) wrong.push(`${brand}: ${example}`)
  }
  expect(wrong).toEqual([])
})
