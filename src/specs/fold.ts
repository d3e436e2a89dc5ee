// Folds texts, so that spellings that differ only in white space, Unicode form or case become equal. It deals only with
// characters; vocabulary.ts determines what a value means.

/** Most values are plain ASCII with single spaces, which only need lower case. */
const neat = /^[!-~]+(?: [!-~]+)*$/
// \s lacks U+0085, and White_Space lacks U+FEFF, the byte order mark, which may remain from a file.
const whiteSpace = /[\s\p{White_Space}]+/gu
const marks = /\p{M}+/gu
const betweenWords = /[^\p{L}\p{N}]+/u
const betweenAsciiWords = /[^a-z\d]+/
// Includes the middle dot, and the fraction and division slashes that typesetters use instead of a plain slash.
const referenceNoise = /[\s.·/\\⁄∕\p{Dash}]+/gu

const asciiReferenceNoise = /[ ./\\-]+/g

const fewWords = 16

const latinMarks = /(\p{Script=Latin})\p{M}+/gu
const andWords: ReadonlySet<string> = new Set(['and', 'und', 'et'])

/** Letters that Unicode does not decompose into a base letter and a mark, and what users type instead. */
const plainLetters: ReadonlyMap<string, string> = new Map(
  Object.entries({ ø: 'o', æ: 'ae', œ: 'oe', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h' }),
)
const oddLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'gu')

/** Trims, collapses inner white space, normalises to NFKC and folds case. Folding is idempotent. */
export function foldText(text: string): string {
  if (neat.test(text)) return text.toLowerCase()
  // Unicode defines it as two rounds after an NFD (definition D146): one round is not idempotent.
  return foldCase(foldCase(text.normalize('NFD')))
    .replace(whiteSpace, ' ')
    .trim()
}

/** Returns the distinct words of a text, in order, without diacritics. */
export function foldWords(text: string): string[] {
  if (neat.test(text)) return distinct(text.toLowerCase().split(betweenAsciiWords))
  return distinct(plainText(text).split(betweenWords))
}

/** Folds a text and removes its diacritics; punctuation stays. */
export function plainText(text: string): string {
  if (neat.test(text)) return text.toLowerCase()
  return spellOut(foldText(text).normalize('NFD').replace(marks, ''))
}

/** Returns the letters and digits of a text, without diacritics: `Speedy Pro` and `speedy-pro` are equal. */
export function foldLetters(text: string): string {
  return plainText(text).split(betweenWords).join('')
}

/**
 * Folds the name of a brand: also drops accents, punctuation, spaces and the word for "and", which are often left out
 * or spelled in other ways. `A. Lange & Söhne` and `A Lange und Sohne` are equal.
 */
export function foldBrand(text: string): string {
  const words = (neat.test(text) ? text.toLowerCase() : foldLatin(foldText(text))).split(betweenWords)
  const named = words.filter((word) => word !== '')
  return named.filter((word, at) => at === 0 || at === named.length - 1 || !andWords.has(word)).join('')
}

/** Folds a reference number: removes spaces, dots, dashes and slashes, which users often leave out. */
export function foldReference(text: string): string {
  if (neat.test(text)) return text.toLowerCase().replace(asciiReferenceNoise, '')
  // Fold again at the end: a removed character may have separated a letter from its combining mark.
  return foldText(foldText(text).replace(referenceNoise, ''))
}

/** Removes the marks of Latin letters only: in Japanese, marks tell different letters apart. */
function foldLatin(text: string): string {
  return spellOut(text.normalize('NFD').replace(latinMarks, '$1').normalize('NFC'))
}

function spellOut(text: string): string {
  return text.replace(oddLetter, (letter) => plainLetters.get(letter) ?? letter)
}

function distinct(words: readonly string[]): string[] {
  // Most texts have few words, for which a linear search is faster than a Set.
  const isFew = words.length <= fewWords
  return isFew
    ? words.filter((word, at) => word !== '' && words.indexOf(word) === at)
    : [...new Set(words)].filter((word) => word !== '')
}

/** JavaScript has no case folding. Upper case turns both ẞ and ß into SS; the final sigma becomes a plain one. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}
