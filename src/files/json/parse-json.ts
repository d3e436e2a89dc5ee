// Parses text that may be no JSON.

/** Returns undefined for invalid JSON: no JSON value is undefined. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
