// Cuts the text of `q`, which is folded, into words with their places in the text.

export interface Token {
  readonly word: string
  readonly from: number
  readonly to: number
}

const word = /[\p{L}\p{N}]+/gu
const joinedUhr = /(?<=\p{L}{4})uhr(?:en)?$/u
/** Words that count: hardly any watch has so many, and each is looked up in groups with those behind it. */
const tokensMax = 16
/** A reference may have the same part twice; more often, a word means no more. */
const timesMax = 2

/** Words that tell nothing about a watch, as people type them beside those that do. */
const fillers: ReadonlySet<string> = new Set(
  `watch watches wrist wristwatch wristwatches timepiece timepieces uhr uhren armbanduhr montre montres orologio orologi reloj relojes
  a an the this with without and or for of in on by to at is my me i s from near
  der die das ein eine mit ohne und fur von im aus le la les un une avec sans et pour de du des en il lo gli con senza e per di el los las sin y para
  euro euros eur usd dollar dollars chf franken gbp pounds
  buy buying sell sale selling shop price prices cost best cheap new used preowned owned pre vintage
  mens men man gents gent herren herrenuhr herrenuhren homme uomo hombre ref reference referenz model modell number no nr
  find show looking want search online pas cher chere chers cheres gunstig gunstige economico barato
  swiss german japanese french british american italian suisse schweizer deutsche japanische`.split(/\s+/),
)

export function tokensOf(plain: string): Token[] {
  const tokens: Token[] = []
  const times = new Map<string, number>()
  for (const { 0: found, index: from } of plain.matchAll(word)) {
    if (tokens.length === tokensMax) break
    const before = times.get(found) ?? 0
    times.set(found, before + 1)
    if (before < timesMax) tokens.push({ word: withoutUhr(found), from, to: from + found.length })
  }
  return tokens
}

/** German joins what English says in two words: `Fliegeruhr` is a `Flieger`, as `pilot watch` is a `pilot`. */
function withoutUhr(word: string): string {
  return isFiller(word) ? word : word.replace(joinedUhr, '')
}

export function isFiller(word: string): boolean {
  return fillers.has(word)
}
