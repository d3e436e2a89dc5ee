// In charge of asking before what cannot be undone: on a terminal by a question, elsewhere only --yes will do.
import { createInterface } from 'node:readline'
import { Failure } from '../errors.ts'

/** Asks for the word to be typed; anything else ends the command. `what` reads `This deletes 12 watches for good`. */
export async function confirm(what: string, word: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Failure(`${what}: say --yes where nobody can be asked.`)
  const typed = await ask(`${what}. Type ${word} to go on: `)
  if (typed.trim().toLowerCase() !== word.toLowerCase()) {
    throw new Failure(`${word} was not typed: nothing is deleted.`)
  }
}

/** What was typed; nothing when the terminal is closed instead. On stderr, since stdout is for data. */
function ask(question: string): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.question(question, resolve)
  terminal.once('close', () => resolve(''))
  return promise.finally(() => terminal.close())
}
