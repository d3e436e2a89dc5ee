// In charge of how text of a file is shown in the reasons why it is not read: a terminal obeys control characters, and some
// letters turn its lines around.

const obeyed = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Cut to `charsMax`, and an ellipsis where it was longer. */
export function shownText(text: string, charsMax: number): string {
  const shown = text
    .slice(0, charsMax)
    .replace(/[\t\r\n]+/g, ' ')
    .replace(obeyed, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
  const isCut = text.length > charsMax || shown.length > charsMax
  return (isCut ? `${shown.slice(0, charsMax)}…` : shown).toWellFormed()
}
