// Implements the `fields` parameter: reduces a watch to the requested fields, in the order of the watch.

/** `specs.dial_color` keeps one key of `specs`; `specs` keeps all of them. */
export function pickFields(row: string, fields: readonly string[]): string {
  const watch = JSON.parse(row) as Record<string, unknown>
  const specKeys = new Set(
    fields.filter((field) => field.startsWith(prefix)).map((field) => field.slice(prefix.length)),
  )
  const picked = Object.entries(watch).flatMap(([field, value]): [string, unknown][] => {
    if (fields.includes(field)) return [[field, value]]
    if (field !== 'specs' || specKeys.size === 0) return []
    const specs = Object.entries(value as object).filter(([key]) => specKeys.has(key))
    // Unlike assignment, Object.fromEntries defines `__proto__` as an ordinary key.
    return [[field, Object.fromEntries(specs)]]
  })
  return JSON.stringify(Object.fromEntries(picked))
}

const prefix = 'specs.'
