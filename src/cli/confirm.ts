// Asks the operator on the terminal: a question, or to confirm an action that cannot be undone. Without a terminal, only
// --yes confirms it.
import { createInterface } from 'node:readline'
import { Failure } from '../errors.ts'

/** The operator must type the word; anything else fails. `what` is a clause like `This deletes 12 watches for good`. */
export async function confirm(what: string, word: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Failure(`${what}: say --yes to confirm without a terminal.`)
  const typed = await ask(`${what}. Type ${word} to continue: `)
  if (typed?.trim().toLowerCase() !== word.toLowerCase()) {
    throw new Failure(`${word} was not typed: nothing is deleted.`)
  }
}

/**
 * Returns the typed line; undefined if nobody answers, as with Ctrl-C or a closed terminal. The question goes to stderr,
 * because stdout is for data.
 */
export function ask(question: string): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.question(question, resolve)
  terminal.once('close', () => resolve(undefined))
  return promise.finally(() => terminal.close())
}
