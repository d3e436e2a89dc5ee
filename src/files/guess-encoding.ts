// Guesses the encoding of text that is not UTF-8, from its frequent letters.
import { isAscii, isUtf8 } from 'node:buffer'
import { newline } from './ascii.ts'

const usual = 'windows-1252'
/** The least share of characters that must be frequent ones, and the bytes that are judged. */
const shareMin = 0.8
const judgedBytesMax = 64 * 1024
/** Fewer characters beyond ASCII prove nothing. */
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
function fittingEncodings(bytes: Buffer, isBegin: boolean): string[] {
  // Whole lines, because the bytes may begin and end within a character.
  const first = isBegin ? 0 : bytes.indexOf(newline) + 1
  const last = bytes.lastIndexOf(newline, first + judgedBytesMax)
  const lines = bytes.subarray(first, last > first ? last : first + judgedBytesMax)
  const judge = (label: string, share: number) =>
    share > shareMin && isValid(lines, label) ? [{ label, share }] : []
  const pairs = pairEncodings.flatMap((one) => judge(one.label, pairShare(lines, one)))
  const judged = [...pairs, ...alphabets.flatMap((one) => judge(one.label, letterShare(lines, one)))]
  const best = judged.filter(({ share }) => share === Math.max(...judged.map((one) => one.share)))
  const [top] = best
  // Their tables stand in order of strictness.
  if (top !== undefined && pairs.includes(top)) return [top.label]
  const byText = new Map<string, string>()
  for (const { label } of best) byText.getOrInsert(new TextDecoder(label).decode(lines), label)
  return [...byText.values()]
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
  return all < charactersMin ? 0 : (found - odd) / all
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
