// Prepares JSON for display: indents it, splits it into tokens for highlighting, and truncates it when it is long.

export interface Token {
  readonly text: string
  /** Absent for the text between JSON tokens, such as spaces, commas and brackets. */
  readonly kind?: 'key' | 'string' | 'value'
}

const linesMax = 60
const token = /("(?:\\.|[^"\\\n])*")(\s*:)?|-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b/g

export interface Pretty {
  readonly text: string
  /** The number of lines omitted. */
  readonly cutLines: number
}

/** The first `linesMax` lines of the indented JSON. */
export function prettyJson(text: string): Pretty {
  const lines = indentedJson(text).split('\n')
  return { text: lines.slice(0, linesMax).join('\n'), cutLines: Math.max(0, lines.length - linesMax) }
}

/** Returns text that is not JSON unchanged. */
export function indentedJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

export function tokensOf(json: string): Token[] {
  const tokens: Token[] = []
  let end = 0
  for (const match of json.matchAll(token)) {
    if (match.index > end) tokens.push({ text: json.slice(end, match.index) })
    tokens.push({ text: match[0], kind: kindOf(match[1], match[2]) })
    end = match.index + match[0].length
  }
  if (end < json.length) tokens.push({ text: json.slice(end) })
  return tokens
}

function kindOf(quoted: string | undefined, colon: string | undefined): 'key' | 'string' | 'value' {
  if (quoted === undefined) return 'value'
  return colon === undefined ? 'string' : 'key'
}
