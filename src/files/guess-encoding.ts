// Guesses the encoding of text that is not UTF-8, from its frequent letters.
import { isAscii, isUtf8 } from 'node:buffer'
import { newline } from './ascii.ts'

const usual = 'windows-1252'
/** The least share of characters that must be frequent ones, and the bytes that are judged. */
const shareMin = 0.8
const judgedBytesMax = 64 * 1024
/** Fewer characters beyond ASCII prove nothing, unless they are the same in all encodings, as those of `Söhne` are. */
const charactersMin = 4

/** Encodings of one byte, with the letters of their languages. Of two that fit equally, the first counts. */
const alphabets: readonly { label: string; letters: string; isLatin: boolean }[] = [
  { label: usual, letters: 'äöüßéèêëàâçîïôûñáíóúåøæãõœ', isLatin: true },
  { label: 'windows-1250', letters: 'áäčďéěëíľňóôöőřšťúůüűýžąćęłńśźżăâîşţß', isLatin: true },
  { label: 'windows-1254', letters: 'çğıöşüâî', isLatin: true },
  { label: 'windows-1251', letters: 'оеаинтрсвлкмдпуіяы', isLatin: false },
  { label: 'macintosh', letters: 'äöüßéèêëàâçîïôûñáíóúåøæãõœ', isLatin: true },
  { label: 'koi8-r', letters: 'оеаинтрсвлкмдпуяы', isLatin: false },
  { label: 'windows-1253', letters: 'αοιετσνηρςκπμλάίόέή', isLatin: false },
]

/**
 * The letters of single languages by frequency, for two alphabets that fit equally: `Modèle` is French, and `Modčle`
 * could only be Czech.
 */
const westEuropean = ['éèàêçîôâùûœëï', 'üäöß', 'óíáéñúü', 'àèùòìé', 'ãçáéíóêâõúàô', 'åäöøæé']
const languages: Readonly<Record<string, readonly string[]>> = {
  [usual]: westEuropean,
  'windows-1250': ['áíéěýřžčšůúťďňľôĺŕ', 'łąężóśćńź', 'áéöíóőüúű', 'čšžćđ', 'ăîâşţ'],
  'windows-1254': ['ıüşçöğâî'],
  macintosh: westEuropean,
}
/** What a price list has beyond ASCII if it has no such letter. */
const onlySigns = /^[\0-\x7f€£\xa0–—‘’“”°®©²³±½¼¾™…•·«»§×]*$/
const foreignLetter = 0.002
/** How much likelier the usual encoding is, and how much likelier one must be than the others, as logarithms. */
const usualBonus = Math.log(100)
const likelierMin = 2

interface PairEncoding {
  readonly label: string
  /** The bytes that begin a character of two bytes. */
  readonly isLead: (byte: number) => boolean
  /** Whether the character is a frequent one: the tables begin with the letters and the most common ideographs. */
  readonly isFrequent: (lead: number, trail: number) => boolean
}

const within = (byte: number, first: number, last: number) => byte >= first && byte <= last
const isHigh = (byte: number) => byte >= 0x81 && byte < 0xff
/** In order of the number of frequent characters: of two that fit equally, the first counts. */
const pairEncodings: readonly PairEncoding[] = [
  {
    label: 'shift_jis',
    isLead: (byte) => within(byte, 0x81, 0x9f) || within(byte, 0xe0, 0xfc),
    isFrequent: (lead) => within(lead, 0x81, 0x83) || within(lead, 0x88, 0x97),
  },
  {
    label: 'euc-kr',
    isLead: isHigh,
    isFrequent: (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xc8) || within(lead, 0xa1, 0xa3)),
  },
  {
    label: 'euc-jp',
    isLead: isHigh,
    isFrequent: (lead, trail) =>
      trail >= 0xa1 && (within(lead, 0xb0, 0xcf) || (lead >= 0xa1 && lead <= 0xa5 && lead !== 0xa2)),
  },
  {
    label: 'gb18030',
    isLead: isHigh,
    isFrequent: (lead, trail) => trail >= 0xa1 && (within(lead, 0xb0, 0xd7) || within(lead, 0xa1, 0xa3)),
  },
  { label: 'big5', isLead: isHigh, isFrequent: (lead) => within(lead, 0xa1, 0xc6) },
]

/** Advice: labels of the WHATWG Encoding Standard. `bytes` begin at any place in the file. */
export function guessEncoding(bytes: Buffer, isBegin: boolean): string {
  const fitting = fittingEncodings(bytes, isBegin)
  return fitting.length === 0 ? usual : fitting.join(' or ')
}

/** Undefined if no encoding fits well, as none does for a few letters, or if several do. */
export function findEncoding(bytes: Buffer, isBegin: boolean): string | undefined {
  const [label, ...others] = fittingEncodings(bytes, isBegin)
  return others.length === 0 ? label : undefined
}

/** Those that fit best, without those that read the text in the same way. */
function fittingEncodings(bytes: Buffer, isBegin: boolean): readonly string[] {
  // Whole lines, because the bytes may begin and end within a character.
  const first = isBegin ? 0 : bytes.indexOf(newline) + 1
  const last = bytes.lastIndexOf(newline, first + judgedBytesMax)
  const lines = bytes.subarray(first, last > first ? last : first + judgedBytesMax)
  const judge = (label: string, share: number, isLatin = false) =>
    share > shareMin && isValid(lines, label) ? [{ label, share, isLatin }] : []
  const pairs = pairEncodings.flatMap((one) => judge(one.label, pairShare(lines, one)))
  const alone = alphabets.flatMap((one) => judge(one.label, letterShare(lines, one), one.isLatin))
  const judged = [...pairs, ...alone]
  const best = judged.filter(({ share }) => share === Math.max(...judged.map((one) => one.share)))
  const [top] = best
  // Their tables stand in order of strictness.
  if (top !== undefined && pairs.includes(top)) return [top.label]
  const isFew = lines.reduce((all, byte) => all + (byte >> 7), 0) < charactersMin
  const labels = distinctTexts(lines, isFew ? [...judged, { label: usual }] : best)
  if (isFew)
    return judged.length > 0 && labels.length === 1 && judged.every(({ isLatin }) => isLatin) ? labels : []
  return labels.length > 1 ? likeliest(lines, labels) : labels
}

function distinctTexts(lines: Buffer, judged: readonly { readonly label: string }[]): string[] {
  const byText = new Map<string, string>()
  for (const { label } of judged) byText.getOrInsert(new TextDecoder(label).decode(lines), label)
  return [...byText.values()]
}

/** The encoding in which the words are of one language; all of them if no one is clearly likelier. */
function likeliest(lines: Buffer, labels: readonly string[]): readonly string[] {
  const scored = labels.map((label) => {
    const words = new Set(
      new TextDecoder(label)
        .decode(lines)
        .toLowerCase()
        .match(/[a-z\x80-\uffff]+/g),
    )
    const letters = [...words].join('').replace(/[\0-\x7f]+/g, '')
    const scores = (languages[label] ?? []).map((language) => likelihood(letters, language))
    return { label, score: Math.max(...scores) + (label === usual ? usualBonus : 0) }
  })
  const [best, second] = scored.toSorted((one, other) => other.score - one.score)
  const isClear = best !== undefined && best.score - (second?.score ?? 0) >= likelierMin
  return isClear ? [best.label] : labels
}

/** The logarithm, if the frequency of a letter falls with its rank. */
function likelihood(letters: string, language: string): number {
  const sum = [...language].reduce((all, _, rank) => all + 1 / (rank + 1), 0)
  const shareOf = (letter: string) => {
    const rank = language.indexOf(letter)
    return rank === -1 ? foreignLetter : 1 / (rank + 1) / sum
  }
  return [...letters].reduce((all, letter) => all + Math.log(shareOf(letter)), 0)
}

/** Whether most lines beyond ASCII are UTF-8, so that only some are not: two files were joined, or one is damaged. */
export function isMostlyUtf8(bytes: Buffer): boolean {
  let [valid, all] = [0, 0]
  for (let start = 0; start < bytes.length; ) {
    const found = bytes.indexOf(newline, start)
    const stop = found === -1 ? bytes.length : found
    const line = bytes.subarray(start, stop)
    if (!isAscii(line)) all++
    if (!isAscii(line) && isUtf8(line)) valid++
    start = stop + 1
  }
  return valid * 2 >= all && valid > 0
}

function isValid(bytes: Buffer, label: string): boolean {
  try {
    new TextDecoder(label, { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** The share of the alphabet's letters; those of a Latin one stand beside letters of ASCII, others never do. */
function letterShare(bytes: Buffer, { label, letters, isLatin }: (typeof alphabets)[number]): number {
  // Ø for a diameter and nº for a number are signs rather than letters.
  const text = new TextDecoder(label).decode(bytes).replace(/(?<!\p{L})[Øø](?!\p{L})|[ªº]/gu, '')
  const all = text.match(/[^\0-\x9f\p{P}\p{S}\p{Z}]/gu)?.length ?? 0
  // A small letter before a capital one: the two cases have changed places, as those of KOI8-R do.
  const odd = text.match(/\p{Ll}(?=[^\0-\x7f])\p{Lu}/gu)?.length ?? 0
  // Found first and looked around then, because an expression for both takes time that grows with the square of a run.
  let found = 0
  for (const { 0: run, index } of text.matchAll(new RegExp(`[${letters}]+`, 'giu'))) {
    const isBeside = isAsciiLetter(text[index - 1]) || isAsciiLetter(text[index + run.length])
    if (isLatin ? isBeside : !isBeside) found += run.length
  }
  // Without any letter, such as with `€` alone, nothing contradicts the usual encoding.
  if (all === 0) return label === usual && onlySigns.test(text) ? 1 : 0
  return (found - odd) / all
}

function isAsciiLetter(character = ''): boolean {
  return /[a-z]/i.test(character)
}

function pairShare(bytes: Buffer, { isLead, isFrequent }: PairEncoding): number {
  let [all, frequent] = [0, 0]
  for (let at = 0; at < bytes.length; at++) {
    const lead = bytes[at] ?? 0
    if (lead < 0x80) continue
    all++
    if (!isLead(lead)) continue
    at++
    if (isFrequent(lead, bytes[at] ?? 0)) frequent++
  }
  return all < charactersMin ? 0 : frequent / all
}
