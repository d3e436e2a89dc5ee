// The ASCII codes of the characters that the grammars of CSV and JSON use.

export const newline = 0x0a
export const carriageReturn = 0x0d
export const space = 0x20
export const quote = 0x22
export const comma = 0x2c
export const openBracket = 0x5b
export const backslash = 0x5c
export const closeBracket = 0x5d
export const openBrace = 0x7b
export const closeBrace = 0x7d
