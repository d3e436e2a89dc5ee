// In charge of `fields`: a watch with only the fields that were asked for, in the order it has them.

/** `specs.dial_color` keeps one key of `specs`; `specs` keeps all of them. */
export function pickFields(row: string, fields: readonly string[]): string {
  const watch = JSON.parse(row) as Record<string, unknown>
  const specKeys = new Set(
    fields.filter((field) => field.startsWith(prefix)).map((field) => field.slice(prefix.length)),
  )
  const picked = Object.entries(watch).flatMap(([field, value]): [string, unknown][] => {
    if (fields.includes(field)) return [[field, value]]
    if (field !== 'specs' || specKeys.size === 0) return []
    return [[field, fromEntries(Object.entries(value as object).filter(([key]) => specKeys.has(key)))]]
  })
  return JSON.stringify(Object.fromEntries(picked))
}

const prefix = 'specs.'

/** Object.fromEntries defines, and so `__proto__` stays a key like any other. */
const fromEntries = Object.fromEntries<unknown>
