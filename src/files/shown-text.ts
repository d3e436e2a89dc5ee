// Makes text of a file safe to show in error messages: terminals execute control characters, and some characters
// reverse the direction of a line.

const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Escapes the text and cuts it to `charsMax`, with an ellipsis if it was longer. */
export function shownText(text: string, charsMax: number): string {
  const shown = text
    .slice(0, charsMax)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const isCut = text.length > charsMax || shown.length > charsMax
  return (isCut ? `${shown.slice(0, charsMax)}…` : shown).toWellFormed()
}
