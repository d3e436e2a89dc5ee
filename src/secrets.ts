// Finds and hides secrets: by the name of their field, or by their shape in a text. Whatever the input, it neither
// throws nor takes long, because it runs for every line of the log.

const hidden = '[hidden]'
const depthMax = 8
const valuesMax = 1_000

const names = 'passw|passphrase|secret|token|cookie|authorization|api[-_]?key|credential|session'
const secretName = new RegExp(`${names}|^key$`, 'i')
const namedInText = `(?:[\\w.-]*(?:${names})[\\w.-]*|key)`

const secretShapes = [
  /wd_(?:live|test)_\w+/g,
  /whsec_[\w+/=-]+/g,
  /(?<=\b(?:Bearer|Basic)\s+\\*"?)[^\s"\\]+/gi,
  /(?<=\b(?:Authorization|Cookie):\s?)[^"\\\n]+/gi,
  // The password of a URL, up to the last @: it may contain any character.
  /(?<=:\/\/[^\s:@/"]*:)[^\s"]+(?=@)/g,
  // A parameter of a URL or of a form.
  new RegExp(`(?<=(?:^|[?&;\\s"])${namedInText}=)[^&;\\s"\\\\]+`, 'gi'),
  // A JSON member within a text, where its quotes are escaped.
  new RegExp(`(?<="${namedInText}\\\\*"\\s*:\\s*\\\\*")(?:\\\\{2,}.|[^"\\\\])+`, 'gi'),
]

/** Replaces the secrets in a text, found by their shape. */
export function hideSecrets(text: string): string {
  return secretShapes.reduce((clean, shape) => clean.replace(shape, hidden), text)
}

type Fields = Record<string, unknown>

/** Returns a copy that hides fields with a secret's name, at any depth; `plainError` serialises errors. */
export function hideFields(fields: Fields, plainError: (error: Error) => object): Fields {
  let valuesLeft = valuesMax
  try {
    return cleanFields(fields, 0)
  } catch (error) {
    return { logFault: String(error) }
  }

  function cleanFields(object: object, depth: number): Fields {
    const entries = Object.entries(object)
    return Object.fromEntries(
      entries.map(([name, value]) => [name, secretName.test(name) ? hidden : clean(value, depth + 1)]),
    )
  }

  function clean(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null) return value
    if (depth > depthMax || valuesLeft-- <= 0) return '…'
    if (value instanceof Uint8Array) return `[${value.length} bytes]`
    if (value instanceof Error) return cleanFields(plainError(value), depth)
    if ('toJSON' in value && typeof value.toJSON === 'function') return clean(value.toJSON(), depth + 1)
    if (!Array.isArray(value)) return cleanFields(value, depth)
    // Headers also come as a flat list of pairs: a name, then its value.
    const isSecretAt = (index: number) => typeof value[index] === 'string' && secretName.test(value[index])
    return value
      .slice(0, valuesMax)
      .map((one, index) => (isSecretAt(index - 1) ? hidden : clean(one, depth + 1)))
  }
}
