// Tracks the open brackets of JSON text.
import { closeBrace, closeBracket, openBrace, openBracket } from '../ascii.ts'

const nestingMax = 1_000

export class JsonBrackets {
  /** The opening bytes of the brackets that are open. */
  readonly #open: number[] = []

  get depth(): number {
    return this.#open.length
  }

  get isInArray(): boolean {
    return this.#open.includes(openBracket)
  }

  /** Returns the fault if the byte is a wrong bracket; undefined otherwise. */
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
