// A fast-check arbitrary for any Unicode code point, used as the unit of strings. fast-check's own unit 'binary'
// yields the same values, but it first builds a table of a million code points, which takes two seconds in each
// process.
import fc from 'fast-check'

const codePointMax = 0x10ffff
/** The surrogate range, whose values are not characters by themselves. */
const halves = { first: 0xd800, count: 0x800 }

export const anyCodePoint = fc.nat({ max: codePointMax - halves.count }).map(
  (at) => String.fromCodePoint(at < halves.first ? at : at + halves.count),
  (letter) => {
    if (typeof letter !== 'string' || [...letter].length !== 1 || !letter.isWellFormed()) {
      throw new Error('no code point')
    }
    const code = letter.codePointAt(0) ?? 0
    return code < halves.first ? code : code - halves.count
  },
)
