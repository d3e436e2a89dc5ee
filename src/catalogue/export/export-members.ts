// Visits the members of a specs document as raw text. Only handles documents as `JSON.stringify` writes them, which are
// nearly all. That is three times as fast as parsing, or as spec-members.ts, which handles every document.

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Visits the key and value of each member as JSON text, the key without its quotation marks. Returns false if the
 * visitor does, if the document has white space between its members, or if a key has escapes. Some members may then
 * have been visited already.
 */
export function eachMember(document: string, visit: (key: string, value: string) => boolean): boolean {
  if (document === '{}') return true
  if (document.charCodeAt(0) !== openBrace) return false
  for (let at = 1; ; ) {
    const keyEnd = document.indexOf('"', at + 1)
    if (document.charCodeAt(at) !== quote || document.charCodeAt(keyEnd + 1) !== colon) return false
    const end = endOfValue(document, keyEnd + 2)
    const key = document.slice(at + 1, keyEnd)
    if (key.includes('\\') || !visit(key, document.slice(keyEnd + 2, end))) return false
    if (document.charCodeAt(end) !== comma) {
      return document.charCodeAt(end) === closeBrace && end === document.length - 1
    }
    at = end + 1
  }
}

/** Returns the end of the value that begins at `start`, or the end of the text if the value is incomplete. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) at = endOfText(text, at)
    if (code === openBrace || code === openBracket) depth++
    else if (depth === 0 && (code === comma || code === closeBrace)) return at
    else if (code === closeBrace || code === closeBracket) depth--
  }
  return text.length
}

/** Returns the position of the quotation mark that ends the string that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
