// In charge of which brackets of JSON are open.
import { closeBrace, closeBracket, openBrace, openBracket } from '../ascii.ts'

const nestingMax = 1_000

export class JsonBrackets {
  /** As the bytes that opened them. */
  readonly #open: number[] = []

  get depth(): number {
    return this.#open.length
  }

  get isInArray(): boolean {
    return this.#open.includes(openBracket)
  }

  /** Returns what is wrong with the byte, if it is a bracket and something is. */
  pass(byte: number): string | undefined {
    if (byte === openBrace || byte === openBracket) {
      return this.#open.push(byte) > nestingMax
        ? `brackets are nested more than ${nestingMax} deep`
        : undefined
    }
    if (byte !== closeBrace && byte !== closeBracket) return undefined
    const opener = byte === closeBrace ? openBrace : openBracket
    return this.#open.pop() === opener ? undefined : 'a bracket is closed that is not open'
  }
}
