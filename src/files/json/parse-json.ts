// Parses text that may be no JSON, or JSON as Python writes it.

/** Numbers that JSON does not have. A backslash is part of a string. */
const notNumbers = /\\.|"|-?(?:NaN|Infinity)/gs

/** Returns undefined for invalid JSON: no JSON value is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return /NaN|Infinity/.test(text) ? parsePythons(text) : undefined
  }
}

/** `NaN` and `Infinity` say that there is no number. */
function parsePythons(text: string): unknown {
  let isString = false
  const plain = text.replace(notNumbers, (token) => {
    if (token === '"') isString = !isString
    return isString || token === '"' || token.startsWith('\\') ? token : 'null'
  })
  try {
    return JSON.parse(plain)
  } catch {
    return undefined
  }
}
