// Splits the text of a specs document into its members, so that one of them can be changed while all others, and their
// order, stay byte for byte. Parsing and printing the document would lose that: keys that look like numbers come first,
// and `42.0` becomes `42`.

const indexShape = /^(?:0|[1-9]\d{0,9})$/

export interface SpecMember {
  readonly key: string
  /** `keyText` and `valueText` are the raw JSON of the document. */
  readonly keyText: string
  readonly valueText: string
}

/** Returns the members in order. The text must be JSON; what is not an object has no members. */
export function readMembers(specs: string): SpecMember[] {
  const members: SpecMember[] = []
  let start = specs.indexOf('{') + 1
  if (start === 0 || specs.slice(0, start - 1).trim() !== '') return members
  let colon = -1
  let depth = 0
  for (let at = start; at < specs.length; at++) {
    const character = specs[at]
    if (character === '"') at = endOfString(specs, at)
    else if (character === '{' || character === '[') depth++
    else if (depth === 0 && character === ':') colon = at
    else if (depth === 0 && (character === ',' || character === '}')) {
      if (colon >= start) members.push(member(specs.slice(start, colon), specs.slice(colon + 1, at)))
      start = at + 1
    } else if (character === '}' || character === ']') depth--
  }
  return members
}

export function writeMembers(members: readonly SpecMember[]): string {
  return `{${members.map(({ keyText, valueText }) => `${keyText}:${valueText}`).join(',')}}`
}

/**
 * Writes members that have changed. If a key looks like a number, the document is written as `JSON.stringify` does,
 * which puts such keys first, so that an export and import gives back the same bytes.
 */
export function writeChangedMembers(members: readonly SpecMember[]): string {
  const text = writeMembers(members)
  return members.some(({ key }) => indexShape.test(key)) ? JSON.stringify(JSON.parse(text)) : text
}

export function newMember(key: string, value: unknown): SpecMember {
  return { key, keyText: JSON.stringify(key), valueText: JSON.stringify(value) }
}

/** Returns false only if the document cannot have the key. Does not parse it. */
export function mayHaveKey(specs: string, key: string): boolean {
  // A key may be written with unnecessary escapes.
  return specs.includes(JSON.stringify(key)) || specs.includes('\\')
}

function member(keyText: string, valueText: string): SpecMember {
  const key = keyText.trim()
  return { key: JSON.parse(key), keyText: key, valueText: valueText.trim() }
}

function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
