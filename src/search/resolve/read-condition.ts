// Reads from a title how worn the watch is, and whether box and papers come with it, in the words that dealers use in
// English, German, French, Italian and Spanish.
import { isNewSince } from './read-numbers.ts'
import { mark, type TitleText } from './title-text.ts'

export const conditions = ['new', 'unworn', 'mint', 'excellent', 'very good', 'good', 'fair', 'used'] as const
type Condition = (typeof conditions)[number]

export interface Scope {
  readonly condition: Condition | null
  readonly box: boolean | null
  readonly papers: boolean | null
}

/** The first pattern that fits decides. */
const conditionPatterns: readonly (readonly [condition: Condition, pattern: RegExp])[] = [
  [
    'mint',
    /\b(?:like[ -]new|as new|near mint|mint(?![ -](?:green|blue|dial|colou?r\w*))|lnib|neuwertig\w*|wie neu|come nuov[oa]|comme neu(?:f|ve)|como nuev[oa]|pristine|pari al nuovo|mib)\b/,
  ],
  [
    'unworn',
    /\b(?:unworn|never worn|un-worn|unused|ungetragen\w*|jamais porte\w*|non portee?|mai indossat[oa]|sin usar|sin estrenar|nos|new old stock|unpolished unworn)\b|未使用/,
  ],
  [
    'new',
    /\b(?:bnib|nib|bnwt|nwt|brand[ -]new|fabrikneu|sealed|new w\/ tags|new with tags)\b|\b(?:new|neu|neue|nuov[oa]|neuf|neuve|nuev[oa])\b(?! (?:release|york|zealand|strap|crystal|battery|bezel|price|bracelet|movement|listing|service|reference|arrival|band|gasket|edition|model))|新品/,
  ],
  [
    'very good',
    /\b(?:very good|vgc|sehr gut\w*|tres bon(?:ne)?|molto buon\w*|muy buen\w*|great condition|vg\+?)\b|\bsehr schon\w*/,
  ],
  [
    'excellent',
    /\b(?:excellent\w*|exc\+?\d?|ausgezeichnet\w*|eccellent\w*|ottim\w*|excelente|euc|superb condition|top zustand|bestzustand)\b|美品/,
  ],
  [
    'good',
    /\b(?:good cond\w*|good|gut(?:er)? zustand|guter|bon etat|buon\w* (?:condizion|stat)\w*|buen estado)\b/,
  ],
  ['fair', /\b(?:fair cond\w*|fair|poor cond\w*|heavily worn|akzeptabel|beschadigt|for repair|defekt)\b/],
  [
    'used',
    /\b(?:used|pre-?owned|pre-? owned|getragen|gebraucht\w*|occasion|usat[oa]|usad[oa]|second ?hand|segunda mano|seconda mano|d'occasion|secondhand|lightly worn|worn \dx)\b|中古/,
  ],
]

const boxWord =
  '(?:box|boxes|boite|coffret|scatola|caja|schatulle|ecrin|astuccio|estuche|ovp|originalverpackung|mib)'
const paperWord =
  '(?:papers?|papiere?n?|papiers?|cards?|warranty(?: card)?|guarantee(?: card)?|garanzia|garantie(?:karte)?|garantia|certificat[eo]?|cert|documents?|documenti|papeles|zertifikat|carte|libretto)'
const between = '(?: ?(?:&|\\+|/|,|-|and|und|et|e|y|with|n) ?| )'
const no = '(?:no|without|w/o|ohne|sans|senza|sin|missing|lost|keine?|not)'
const original = '(?:original |the |any |orig\\.? )?'

/** In the lists of dealers `fs` is the full set; at the start of a title it says `for sale`. */
const behindDate = '(?<=\\b(?:19|20)\\d{2}y? (?:.{0,24} )?)(?:fs|bp)'

const allPattern = new RegExp(
  `\\b(?:full[ -]?(?:set|kit)|complete set|komplett(?:es set)?|complete(?! calendar)|full package|(?<!quantieme )complet|completo|corredo completo|set completo|b ?[&+/] ?p|${behindDate}|box(?:es)?${between}(?:inner |outer )?papers?|${boxWord}${between}${paperWord}|${paperWord}${between}${boxWord})(?!\\w)`,
)
const nothingPattern = new RegExp(
  `\\b(?:watch only|head only|naked|nur (?:die )?uhr|solo orologio|montre seule|solo reloj|${no} ${original}${boxWord}${between}?(?:or |nor |oder |ni |o )?${paperWord}|${no} ${original}${paperWord}${between}?(?:or |nor |oder |ni |o )?${boxWord})(?!\\w)`,
)
const boxPattern = new RegExp(`\\b(?:${boxWord}|[bl]?nib)\\b`)
const papersPattern = new RegExp(`\\b${paperWord}\\b`)
const noBoxPattern = new RegExp(`\\b${no} ${original}${boxWord}\\b|\\bpapers only\\b`)
const noPapersPattern = new RegExp(`\\b${no} ${original}${paperWord}\\b|\\bbox only\\b`)

export function readScope(text: TitleText): Scope {
  const { plain } = text
  const condition = conditionPatterns.find(([, pattern]) => {
    const match = pattern.exec(plain)
    if (match !== null) mark(text, match.index, match.index + match[0].length, 'condition')
    return match !== null
  })?.[0]
  return { condition: condition ?? (isNewSince(text) ? 'new' : null), ...readSet(text) }
}

function readSet(text: TitleText): { box: boolean | null; papers: boolean | null } {
  const take = (pattern: RegExp): boolean => {
    const match = pattern.exec(text.plain)
    if (match !== null) mark(text, match.index, match.index + match[0].length, 'set')
    return match !== null
  }
  if (take(nothingPattern)) return { box: false, papers: false }
  const isAll = take(allPattern)
  const [hasNoBox, hasNoPapers] = [take(noBoxPattern), take(noPapersPattern)]
  const [hasBox, hasPapers] = [take(boxPattern), take(papersPattern)]
  return {
    box: hasNoBox ? false : isAll || hasBox ? true : null,
    papers: hasNoPapers ? false : isAll || hasPapers ? true : null,
  }
}
