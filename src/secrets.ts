// In charge of knowing a secret: by the name of the field it stands in, or by its shape in a text.

const hidden = '[hidden]'
const depthMax = 8

const secretName = /passw|passphrase|secret|token|cookie|authorization|api[-_]?key|credential|session|^key$/i

/** What may be named beside its value in a URL, a header line or JSON within a text. */
const namedValue = '(?:password|passwd|secret|token|api[-_]?key|key|session)'

const secretShapes = [
  /wd_live_\w+/g,
  /whsec_[\w+/=-]+/g,
  /(?<=\b(?:Bearer|Basic)\s)[^\s"\\]+/gi,
  /(?<=\b(?:Authorization|Cookie):\s?)[^"\\\n]+/gi,
  /(?<=:\/\/[^\s:@/"]*:)[^\s/"]+(?=@)/g,
  new RegExp(`(?<=[?&;]${namedValue}=)[^&;\\s"\\\\]+`, 'gi'),
  new RegExp(`(?<="${namedValue}\\\\?"\\s*:\\s*\\\\?")[^"\\\\]+`, 'gi'),
]

/** Takes secrets out of a text by their shape. */
export function hideSecrets(text: string): string {
  return secretShapes.reduce((clean, shape) => clean.replace(shape, hidden), text)
}

/** A copy without what stands in fields of a secret's name, at any depth; errors are made plain by `plainError`. */
export function hideFields(
  fields: Record<string, unknown>,
  plainError: (error: Error) => object,
  depth = 0,
): Record<string, unknown> {
  const clean = (value: unknown): unknown => {
    if (typeof value !== 'object' || value === null) return value
    if (depth >= depthMax) return hidden
    if (Array.isArray(value)) return value.map(clean)
    if (value instanceof Error)
      return hideFields(plainError(value) as Record<string, unknown>, plainError, depth + 1)
    // A date or a buffer says what it is by itself; it has no fields to look into.
    return isPlain(value) ? hideFields(value, plainError, depth + 1) : value
  }
  const entries = Object.entries(fields).map(([name, value]) => [
    name,
    secretName.test(name) ? hidden : clean(value),
  ])
  return Object.fromEntries(entries)
}

function isPlain(value: object): value is Record<string, unknown> {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
