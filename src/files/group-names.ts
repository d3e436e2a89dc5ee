// Names the columns of a table below a row that names groups of them: `Case` over `Material` and `Diameter`.

/** A name with a unit or a currency in brackets: `Prices (CHF)`. */
const markInName = /^([^()[\]]*[^()[\]\s])\s*[([]([^()[\]]+)[)\]]$/
/** The last word may be one as well: `Prices in CHF`. */
const lastWord = /\s(\S+)$/
/** A single text above a table is its title. */
const groupsMin = 2

/** Whether the row names groups, as a CSV has them of merged cells: each is followed by an empty one, or the last. */
function isGroupRow(row: readonly string[]): boolean {
  const filled = [...row.keys()].filter((at) => row[at]?.trim() !== '')
  const areGroups = filled.every((at) => /\p{L}/u.test(row[at] ?? '') && !row[at + 1]?.trim())
  return filled.length >= groupsMin && areGroups
}

/** Whether the row names groups, and the next one names each column. */
export function isAboveHeader(row: readonly string[], next: readonly string[]): boolean {
  const areNames = next.every((cell) => /\p{L}/u.test(cell) && !/\d/.test(cell))
  return areNames && next.length >= row.length && isGroupRow(row)
}

/**
 * The names of the columns below a row of groups. A group counts where it makes a name known or unlike the others.
 * Undefined if the row has no groups, or if these change no name.
 */
export function withGroups(
  row: readonly string[],
  header: readonly string[],
  knows: (name: string) => boolean,
): readonly string[] | undefined {
  if (row.length > header.length || !isGroupRow(row)) return undefined
  const own = header.map(plain)
  const counts = new Map<string, number>()
  for (const name of own) counts.set(name, (counts.get(name) ?? 0) + 1)
  const isShared = (name: string) => (counts.get(name) ?? 0) > 1
  let group = ''
  const names = own.map((name, at) => {
    group = plain(row[at] ?? '') || group
    if (name === '' || group === '' || group === name) return name
    const joined = nameIn([group, name], isShared, knows)
    return isShared(name) || knows(joined) ? joined : name
  })
  return names.some((name, at) => name !== own[at]) ? names : undefined
}

function plain(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}

/**
 * The name of a column with the names of its groups, or its own alone if only that is known. A unit or currency of a
 * group is that of each of its columns: `Prices (CHF)` over `Ask` is `Ask (CHF)`.
 */
export function nameIn(
  texts: readonly string[],
  isShared: (name: string) => boolean,
  knows: (name: string) => boolean,
): string {
  const own = texts.at(-1) ?? ''
  const groups = texts.slice(0, -1)
  const bare = [...groups.map((group) => group.replace(markInName, '$1')), own].join(' ')
  const marked = groups.map((group) => markInName.exec(group)).findLast((found) => found !== null)
  const mark = marked?.[2] ?? groups.findLast((group) => lastWord.test(group))?.match(lastWord)?.[1]
  const joined = marked === undefined ? bare : `${bare} (${mark})`
  const alone = isShared(own) ? [] : mark === undefined ? [own] : [`${own} (${mark})`]
  const plain = isShared(own) ? [bare] : [bare, own]
  return [joined, ...alone, ...plain].find(knows) ?? joined
}
