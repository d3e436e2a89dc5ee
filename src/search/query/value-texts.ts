// Reads what clients make of values that are not texts: a list joined by commas, and objects and lists that were turned
// into text instead of parameters, which no watch can have meant.

/** Splits `Black,Blue` at its commas, into at most `max` values. `\,` is a comma of a value, `\\` a backslash. */
export function splitValues(text: string, max: number): readonly string[] {
  if (!text.includes('\\')) return text.split(',', max)
  const values = ['']
  for (const [piece] of text.matchAll(/\\[,\\]|[\s\S]/g)) {
    if (piece !== ',') values[values.length - 1] += piece.length === 2 ? piece.slice(1) : piece
    else if (values.push('') > max) return values.slice(0, max)
  }
  return values
}

/**
 * What was turned into text: `[object Object]` of JavaScript, `{'gte': '100 m'}` of Python, `{"gte"=>"100 m"}` of Ruby,
 * `["Black","Blue"]`. Undefined for other texts.
 */
export function findObjectText(value: string): 'object' | 'list' | undefined {
  const text = value.trim()
  if (text.startsWith('[object ')) return 'object'
  if (text.startsWith('{') && text.endsWith('}')) return 'object'
  const first = text.startsWith('[') && text.endsWith(']') ? text.slice(1, -1).trim() : ''
  return /^(?:"|').*(?:"|')$/s.test(first) ? 'list' : undefined
}
