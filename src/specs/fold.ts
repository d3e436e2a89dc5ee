// In charge of when two texts are spelled alike: white space, Unicode form and case do not count.
// It knows letters only; what a value means is read in vocabulary.ts.

/** Most values are plain ASCII with single spaces, where folding is lower case and nothing else. */
const neat = /^[!-~]+(?: [!-~]+)*$/
// \s lacks U+0085 and White_Space lacks U+FEFF, the byte order mark that files leave behind.
const whiteSpace = /[\s\p{White_Space}]+/gu
const marks = /\p{M}+/gu
const betweenWords = /[^\p{L}\p{N}]+/u
const betweenAsciiWords = /[^a-z\d]+/
// Also the middle dot, and the fraction and division slashes into which typesetters turn a plain one.
const referenceNoise = /[\s.·/\\⁄∕\p{Dash}]+/gu

const asciiReferenceNoise = /[ ./\\-]+/g

const fewWords = 16

/** Letters that Unicode does not take apart into a base and a mark, but keyboards do. */
const plainLetters: ReadonlyMap<string, string> = new Map([
  ['ø', 'o'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['þ', 'th'],
  ['ħ', 'h'],
])
const oddLetter = new RegExp(`[${[...plainLetters.keys()].join('')}]`, 'gu')

/** Trimmed, inner white space collapsed, NFKC, case-folded. Folding twice changes nothing. */
export function foldText(text: string): string {
  if (neat.test(text)) return text.toLowerCase()
  // Two rounds and the NFD before them are Unicode's own recipe (definition D146): one round is not stable.
  return foldCase(foldCase(text.normalize('NFD')))
    .replace(whiteSpace, ' ')
    .trim()
}

/** The distinct words of a free text, in order, without diacritics. */
export function foldWords(text: string): string[] {
  if (neat.test(text)) return distinct(text.toLowerCase().split(betweenAsciiWords))
  const bare = foldText(text)
    .normalize('NFD')
    .replace(marks, '')
    .replace(oddLetter, (letter) => plainLetters.get(letter) ?? letter)
  return distinct(bare.split(betweenWords))
}

/** A reference number as people type it: spaces, dots, dashes and slashes do not matter. */
export function foldReference(text: string): string {
  if (neat.test(text)) return text.toLowerCase().replace(asciiReferenceNoise, '')
  // Once more at the end: what was removed may have parted a letter from its mark.
  return foldText(foldText(text).replace(referenceNoise, ''))
}

function distinct(words: readonly string[]): string[] {
  // Most texts are a few words, and a Set costs more than looking through them.
  const isFew = words.length <= fewWords
  return isFew
    ? words.filter((word, at) => word !== '' && words.indexOf(word) === at)
    : [...new Set(words)].filter((word) => word !== '')
}

/** JavaScript has no case folding; by way of the capital ẞ and ß meet in ss, and the final sigma its sisters. */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll('ς', 'σ').normalize('NFKC')
}
