// Formats the catalogue for a terminal: numbers, prices, times, values, and words of shell commands.

export function grouped(number: number): string {
  return number.toLocaleString('en-US')
}

/** `1 watch`, `2,500 watches`. */
export function counted(count: number, one: string, many: string): string {
  return `${grouped(count)} ${count === 1 ? one : many}`
}

export function watchCount(count: number): string {
  return counted(count, 'watch', 'watches')
}

export function usd(price: number | null): string {
  return price === null ? '–' : `$${price.toLocaleString('en-US', { maximumFractionDigits: 2 })}`
}

export function percent(part: number, whole: number): string {
  return `${(whole === 0 ? 0 : (part / whole) * 100).toFixed(1)} %`
}

export function moment(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 19)} UTC`
}

/** Escapes control characters, which a terminal would execute, and characters that reverse the direction of text. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069\u2028\u2029]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return `\\u${code.toString(16).padStart(4, '0')}`
  })
}

/** Does so with each line of a failure, which may have several. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n')
}

/** Formats a value. A list of plain values is joined by commas; other objects are shown as JSON. */
export function shown(value: unknown): string {
  if (value === null || value === undefined) return '–'
  const isPlain = (one: unknown) => typeof one !== 'object'
  if (Array.isArray(value) && value.every(isPlain)) return visible(value.join(', '))
  return visible(isPlain(value) ? String(value) : JSON.stringify(value))
}

/** Like `shown`, but with strings in quotation marks, so that white space at their ends is visible. */
export function quoted(value: unknown): string {
  return typeof value === 'string' ? `“${visible(value)}”` : shown(value)
}

export function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1)}…`
}

export function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ')
}

/** Quotes text for a shell: unchanged if that is safe, else in single quotation marks. */
export function shellWord(text: string): string {
  return /^[\p{L}\p{N}_.,:/@%+-]+$/u.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
