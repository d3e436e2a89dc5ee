// Reads a slash in the names of columns as nesting: `specifications/Brand`, `specifications/Case diameter`. Scrapers flatten
// objects so.

const nested = /^([^/\s()]|[^/\s()][^/()]*[^/\s()])\/(?=\S)(?!\d)/

/** The names before the slash that at least three columns share: `Gain/Loss` and `Gain/Loss %` are two. */
export function slashHeads(columns: readonly string[]): ReadonlySet<string> {
  const counts = Map.groupBy(columns, headOf)
  const shared = [...counts].filter(([head, named]) => head !== undefined && named.length > 2)
  return new Set(shared.map(([head = '']) => head))
}

export function withoutSlashes(columns: readonly string[], heads: ReadonlySet<string>): readonly string[] {
  if (heads.size === 0) return columns
  return columns.map((column) =>
    heads.has(headOf(column) ?? '') ? column.replace(/\/(?=\S)/g, '.') : column,
  )
}

function headOf(column: string): string | undefined {
  return nested.exec(column)?.[1]
}
