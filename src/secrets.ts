// In charge of knowing a secret: by the name it stands under, or by its shape in a text. Whatever it is given,
// it neither throws nor takes long: it is called for every line of the log.

const hidden = '[hidden]'
const depthMax = 8
const valuesMax = 1_000

const names = 'passw|passphrase|secret|token|cookie|authorization|api[-_]?key|credential|session'
const secretName = new RegExp(`${names}|^key$`, 'i')
const namedInText = `(?:[\\w.-]*(?:${names})[\\w.-]*|key)`

const secretShapes = [
  /wd_live_\w+/g,
  /whsec_[\w+/=-]+/g,
  /(?<=\b(?:Bearer|Basic)\s+\\*"?)[^\s"\\]+/gi,
  /(?<=\b(?:Authorization|Cookie):\s?)[^"\\\n]+/gi,
  // The password of a URL, up to the last @: it may hold any character.
  /(?<=:\/\/[^\s:@/"]*:)[^\s"]+(?=@)/g,
  // A parameter of a URL or of a form.
  new RegExp(`(?<=(?:^|[?&;\\s"])${namedInText}=)[^&;\\s"\\\\]+`, 'gi'),
  // A member of JSON within a text, whose quotes are escaped there.
  new RegExp(`(?<="${namedInText}\\\\*"\\s*:\\s*\\\\*")(?:\\\\{2,}.|[^"\\\\])+`, 'gi'),
]

/** Takes secrets out of a text by their shape. */
export function hideSecrets(text: string): string {
  return secretShapes.reduce((clean, shape) => clean.replace(shape, hidden), text)
}

type Fields = Record<string, unknown>

/** A copy without what stands under a secret's name, at any depth; errors are made plain by `plainError`. */
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
    // Headers come as pairs in a row too: a name, then its value.
    const isSecretAt = (index: number) => typeof value[index] === 'string' && secretName.test(value[index])
    return value
      .slice(0, valuesMax)
      .map((one, index) => (isSecretAt(index - 1) ? hidden : clean(one, depth + 1)))
  }
}
