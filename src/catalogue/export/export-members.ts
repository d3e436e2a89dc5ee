// In charge of the members of a specs document as they are written. Only of one that is as `JSON.stringify` writes it, which
// are nearly all: that is found three times as fast as by parsing it, or by spec-members.ts, which reads every document.

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

/**
 * Visits key and value of each, as JSON has them, the key without its quotation marks. Returns false, and may have visited
 * some, where the visitor does, where the document has white space between its members, and where a key has escapes.
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

/** Where the value that begins here is over; the end of the text where it is not. */
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

/** The quotation mark that ends the text which begins with the one here. */
function endOfText(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}
