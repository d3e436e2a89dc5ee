import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { parseConfig } from '../config.ts'
import { Failure } from '../errors.ts'
import { foldText } from './fold.ts'
import { parseSynonyms, readSynonyms } from './synonyms.ts'

const sample = `
# a comment
[movement_type]
Automatic = Self-winding   # beside the rule
[case_material, bezel_material]
Steel = Stainless steel
Gray ceramic = Ceramic, gray
[*]
MOP = Mother-of-pearl
[words]
Grey = Gray
`
const synonyms = parseSynonyms(sample, 'table.txt')

test('a group is shown by its first spelling, as written', () => {
  expect(synonyms.find('movement_type', 'self-winding')).toBe('Automatic')
  expect(synonyms.find('movement_type', 'automatic')).toBe('Automatic')
  expect(synonyms.find('bezel_material', 'stainless steel')).toBe('Steel')
})

test('a section applies to its keys only, [*] to every key', () => {
  expect(synonyms.find('nickname', 'self-winding')).toBeUndefined()
  expect(synonyms.find('nickname', 'mother-of-pearl')).toBe('MOP')
  expect(synonyms.find('*', 'automatic')).toBeUndefined()
  for (const key of ['__proto__', 'constructor', 'x'.repeat(128), '\n', '⌚', 'שעון', 'words', '']) {
    expect(synonyms.find(key, 'automatic')).toBeUndefined()
    expect(synonyms.find(key, 'mop')).toBe('MOP')
    expect(synonyms.find(key, 'constructor')).toBeUndefined()
  }
})

test('words are replaced inside a value, whole words only, before groups are applied', () => {
  expect(synonyms.find('dial_color', 'blue-gray')).toBe('blue-grey')
  expect(synonyms.find('dial_color', 'blue-grey')).toBe('blue-grey')
  expect(synonyms.find('dial_color', 'gray')).toBe('Grey')
  expect(synonyms.find('dial_color', 'grayish')).toBeUndefined()
  expect(synonyms.find('case_material', 'grey ceramic')).toBe('Gray ceramic')
  expect(synonyms.find('case_material', 'ceramic, grey')).toBe('Gray ceramic')
})

test.each([
  ['Automatic = Self-winding', 1, 'must come first'],
  ['[a]\nAutomatic', 2, 'two spellings or more'],
  ['[a]\nAutomatic = ', 2, 'two spellings or more'],
  ['[a]\nA = = B', 2, 'two spellings or more'],
  ['[a\nA = B', 1, 'a section is written'],
  ['[]', 1, 'a section is written'],
  ['[a,,b]', 1, 'a section is written'],
  ['[a, a]', 1, 'twice in the section'],
  ['[*, a]', 1, 'must stand alone'],
  ['[words, a]', 1, 'must stand alone'],
  ['[a]\nA = B\n[a, b]\nC = b', 4, 'on line 2 as well'],
  ['[a]\nA = B\n[*]\nC = b', 2, 'on line 4 as well'],
  ['[a]\nA = B = a', 2, 'twice on this line'],
  ['[a]\nGrey x = Gray x\n[words]\nGrey = Gray', 2, 'twice on this line'],
  ['[words]\nGrey = Gray\n\nGRAY = Silver', 4, 'on line 2 as well'],
  ['[words]\nGrey = Gun metal', 2, 'not one word'],
  ['[words]\nTwo = 2', 2, 'is a number'],
  ['[a]\nTwo = 2.0', 2, 'is a number'],
  ['[water_resistance]\nSplash-proof = 30 m', 2, 'a quantity'],
])('an error in the table is reported with its line: %j', (text, line, reason) => {
  const parse = () => parseSynonyms(text, 'table.txt')
  expect(parse).toThrow(Failure)
  expect(parse).toThrow(`table.txt:${line}: `)
  expect(parse).toThrow(reason)
})

test('a table that is far too large or missing is refused in one sentence', async () => {
  expect(() => parseSynonyms('#'.repeat(1_000_001), 'table.txt')).toThrow(Failure)
  await expect(readSynonyms('/no/such/table.txt')).rejects.toThrow(
    new Failure('The synonyms in /no/such/table.txt cannot be read: ENOENT.'),
  )
})

test('a table may come from another system: byte order mark, CRLF, tabs', async () => {
  const file = path.join(tmpdir(), `synonyms-${process.pid}.txt`)
  onTestFinished(() => rm(file, { force: true }))
  await writeFile(file, '\ufeff[a]\r\n\tA\t=\tB # why\r\n')
  expect((await readSynonyms(file)).find('a', 'b')).toBe('A')
})

test('the digest depends on the meaning, not on comments, sections or the order of lines', () => {
  const digest = (text: string) => parseSynonyms(text, 'table.txt').digest
  const base = '[a, b]\nA = B = C\nD = E\n[words]\nF = G'
  expect(digest(base)).toMatch(/^[0-9a-f]{16}$/)
  expect(digest(`# why\n[words]\nF = G # so\n[b]\nD = E\n[a,b]\n  A =   C = b\n[a]\nD = E`)).toBe(
    digest(base),
  )
  const others = [
    '[a]\nA = B',
    '[b]\nA = B',
    '[a]\nB = A',
    '[a]\nA = B = C',
    '[*]\nA = B',
    '[words]\nA = B',
    '',
  ]
  expect(new Set(others.map(digest)).size).toBe(others.length)
})

describe('for any table', () => {
  const letters = 'abcdefghij'.split('')
  const spelling = fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 3 })
    .map((words) => words.join(' '))
  const group = fc.uniqueArray(spelling, { minLength: 2, maxLength: 4 })
  const words = fc.uniqueArray(fc.constantFrom(...letters), { minLength: 2, maxLength: 3 })
  const table = fc.record({ key: fc.array(group), any: fc.array(group), words: fc.option(words) })

  test('every spelling maps to the first of its group, which maps to itself', () => {
    let accepted = 0
    fc.assert(
      fc.property(table, fc.array(spelling), ({ key, any, words }, texts) => {
        const lines = (groups: string[][]) => groups.map((spellings) => spellings.join(' = ')).join('\n')
        const text = `[k]\n${lines(key)}\n[*]\n${lines(any)}\n[words]\n${lines(words ? [words] : [])}`
        let parsed: ReturnType<typeof parseSynonyms>
        try {
          parsed = parseSynonyms(text, 'table.txt')
        } catch (error) {
          // Tables with overlapping groups are refused; the assertions are for accepted tables.
          expect(error).toBeInstanceOf(Failure)
          return
        }
        accepted++
        for (const spellings of [...key, ...any]) {
          for (const member of spellings) expect(parsed.find('k', member)).toBe(spellings[0])
        }
        for (const spellings of any) {
          for (const member of spellings) expect(parsed.find('other', member)).toBe(spellings[0])
        }
        for (const member of [...texts, ...letters]) {
          const shown = parsed.find('k', member)
          if (shown !== undefined) expect(parsed.find('k', foldText(shown))).toBe(shown)
        }
        for (const member of words ?? []) {
          expect(parsed.find('k', `x ${member}-y`)).toBe(`x ${words?.[0]}-y`)
        }
      }),
      { numRuns: 3_000 },
    )
    expect(accepted).toBeGreaterThan(300)
  })
})

describe('the default table', async () => {
  const table = await readSynonyms(parseConfig({}).synonymsFile)

  test.each([
    ['movement_type', ['Automatic', 'automatic', 'Self-winding', 'Automatic winding']],
    ['movement_type', ['Manual winding', 'Hand-wound', 'hand-winding', 'Manual wind', 'Manual']],
    ['crystal', ['Sapphire', 'Sapphire crystal', 'Sapphire glass']],
    ['crystal', ['Mineral', 'Mineral glass']],
    ['crystal', ['Acrylic', 'Plexiglas', 'Plexiglass']],
    ['case_material', ['Stainless steel', 'steel']],
    ['case_material', ['18k rose gold', '18k pink gold', '18kt Pink Gold', '18ct rose gold']],
    ['bracelet_material', ['Alligator', 'Alligator leather']],
    ['bracelet_material', ['Calfskin', 'Calf leather', 'Calfskin leather']],
    ['dial_color', ['Gray', 'grey']],
    ['dial_color', ['Blue-gray', 'Blue-grey']],
    ['display', ['Analog and digital', 'Analogue and digital', 'Analog-digital']],
    ['case_back', ['Display', 'See-through', 'Transparent', 'Exhibition']],
    ['crown', ['Screw-down', 'Screw-in', 'screwdown']],
  ])('%s: %j are synonyms', (key, spellings) => {
    const shown = new Set(spellings.map((spelling) => table.find(key, foldText(spelling))))
    expect(shown.size).toBe(1)
    expect(shown).not.toContain(undefined)
  })

  test.each([
    [
      'movement_type',
      ['Automatic', 'Manual winding', 'Quartz', 'Mechanical', 'Automatic with manual winding'],
    ],
    ['crystal', ['Sapphire', 'Mineral', 'Acrylic', 'Hesalite', 'Hardlex']],
    ['case_material', ['Steel', '316L steel', '904L steel', 'Oystersteel']],
    ['case_material', ['Rose gold', 'Red gold', 'Yellow gold', '18k rose gold', '18k red gold']],
    ['bracelet_material', ['Alligator', 'Crocodile', 'Leather', 'Calfskin']],
    ['case_back', ['Display', 'Sapphire', 'Solid']],
  ])('%s: %j are not synonyms', (key, spellings) => {
    const shown = spellings.map((spelling) => table.find(key, foldText(spelling)) ?? spelling)
    expect(new Set(shown).size).toBe(spellings.length)
  })
})
