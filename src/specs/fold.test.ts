import fc from 'fast-check'
import { expect, test } from 'vitest'
import { anyCodePoint } from '../../test/any-code-point.ts'
import { runs } from '../../test/depth.ts'
import { foldBrand, foldReference, foldText, foldWords } from './fold.ts'

const anyText = fc.string({ unit: anyCodePoint, maxLength: 40 })
const codePointMax = 0x10ffff
const blockSize = 256

test('white space, Unicode form and case are ignored', () => {
  expect(foldText(' \t Stainless \u00a0\u2009\n STEEL\u0085\ufeff')).toBe('stainless steel')
  expect(foldText('４２ ㎜')).toBe('42 mm')
  expect(foldText('Fume\u0301')).toBe(foldText('FUMÉ'))
})

test('case is folded fully, not just lowered', () => {
  expect(foldText('GROẞ')).toBe('gross')
  expect(foldText('Groß')).toBe('gross')
  expect(foldText('ΟΔΟΣ')).toBe(foldText('οδός'.normalize('NFD').replaceAll('\u0301', '')))
  expect(foldText('ΣΑΣ')).toBe('σασ')
  expect(foldText('σας')).toBe('σασ')
  expect(foldText('İ')).toBe('i\u0307')
  expect(foldText('ﬃ')).toBe('ffi')
  expect(foldText('ŉ')).toBe(foldText('ʼN'))
})

test('folding is idempotent for every code point, alone and next to others', () => {
  const unstable: string[] = []
  for (const letters of blocksOfLetters()) {
    // Whole blocks at a time, for speed. Letters that change are also tested alone.
    const plain = letters.map((letter) => `${letter}|a${letter}`).join('|')
    const marked = letters.map((letter) => `${letter}\u0345\u0301`).join('|')
    for (const text of [plain, marked, ...changing(letters)]) {
      const folded = foldText(text)
      if (folded !== text && foldText(folded) !== folded) unstable.push(text)
    }
  }
  expect(unstable).toEqual([])
})

test('every code point folds to the same text as its upper and lower case', () => {
  const parted: string[] = []
  for (const letter of blocksOfLetters().flatMap(changing)) {
    const forms = [letter, letter.toUpperCase(), letter.toLowerCase(), letter.normalize('NFKD')]
    if (new Set(forms.map(foldText)).size > 1) parted.push(letter)
  }
  expect(parted).toEqual([])
})

test('brands that fold to the same text also fold to the same letters', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(foldBrand(foldText(text))).toBe(foldBrand(text))
      expect(foldBrand(text.toUpperCase().toLowerCase())).toBe(foldBrand(text.toLowerCase()))
    }),
    { numRuns: runs(500, 2_000) },
  )
})

test('folding is idempotent for any text', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const folded = foldText(text)
      expect(foldText(folded)).toBe(folded)
      expect(foldText(`  ${text}\n`)).toBe(folded)
    }),
    { numRuns: runs(1_000, 5_000) },
  )
})

test('the fast path for ASCII gives the same result as the general path', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
      // An em space, which is trimmed away, forces the general path.
      expect(foldText(`\u2003${text}`)).toBe(foldText(text))
    }),
  )
})

test('words are found without diacritics and punctuation, each once, in order', () => {
  expect(foldWords('A. Lange & Söhne, LANGE 1 «Söhne»')).toEqual(['a', 'lange', 'sohne', '1'])
  expect(foldWords('Ørsted Æther Łódź Poinçon')).toEqual(['orsted', 'aether', 'lodz', 'poincon'])
  expect(foldWords(' -- ')).toEqual([])
})

test('folding a word of a text again returns the same word', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      for (const word of foldWords(text)) expect(foldWords(word)).toEqual([word])
    }),
    { numRuns: runs(500, 2_000) },
  )
})

test('spaces, dots, dashes and slashes of a reference do not matter', () => {
  const spellings = ['311.30.42', '311 30 42', '311-30/42', '311–30—42', '311‑30−42', '311\\30⁄42', '3113042']
  expect(new Set(spellings.map(foldReference))).toEqual(new Set(['3113042']))
  expect(foldReference('IW3714-01')).not.toBe(foldReference('IW3714-02'))
})

test('folding a reference is idempotent', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('e', '-', '\u0301', ' ', '.', 'A', 'ß', '/', '¨')), (letters) => {
      const folded = foldReference(letters.join(''))
      expect(foldReference(folded)).toBe(folded)
    }),
    { numRuns: runs(500, 2_000) },
  )
})

/** All code points, in blocks. */
function blocksOfLetters(): IteratorObject<string[]> {
  const starts = Iterator.from(Array(Math.ceil(codePointMax / blockSize)).keys())
  return starts.map((block) =>
    Array.from({ length: blockSize }, (_, index) => String.fromCodePoint(block * blockSize + index)),
  )
}

/**
 * Returns the letters that have another form. Most blocks have none, which one check of the joined block shows: the
 * separator `|` does not combine with other characters.
 */
function changing(letters: readonly string[]): string[] {
  return changes(letters.join('|')) ? letters.filter(changes) : []
}

function changes(text: string): boolean {
  return [text.toLowerCase(), text.toUpperCase(), text.normalize('NFKD')].some((form) => form !== text)
}
