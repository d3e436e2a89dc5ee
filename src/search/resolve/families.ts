// Finds which families of words a text has: metals, straps, functions and movements, in titles and spec values alike.
type Patterns = readonly (readonly [family: string, pattern: RegExp])[]
export type Span = readonly [from: number, to: number]

const globals = new Map<RegExp, RegExp>()

/** The families whose words are in the text; adds the places of these words to `spans`. */
export function familiesIn(patterns: Patterns, text: string, spans?: Span[]): string[] {
  const families: string[] = []
  for (const [family, pattern] of patterns) {
    if (!pattern.test(text)) continue
    if (spans !== undefined) addSpans(pattern, text, spans)
    // `gold` alone is in the name of each kind.
    const isNamed = family === 'gold' && families.some((one) => one.endsWith('gold') || one === 'two-tone')
    if (!isNamed) families.push(family)
  }
  return families
}

function addSpans(pattern: RegExp, text: string, spans: Span[]): void {
  const global = globals.getOrInsertComputed(pattern, () => new RegExp(pattern.source, 'g'))
  for (const { 0: found, index } of text.matchAll(global)) spans.push([index, index + found.length])
}
