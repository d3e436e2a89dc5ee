// Reads an id in the path of an operation.

const ids = /^[1-9]\d{0,15}$/

/** The id, or undefined where the text is none. */
export function readId(written = ''): number | undefined {
  return ids.test(written) ? Number(written) : undefined
}
