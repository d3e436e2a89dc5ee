// Adds a command with the options that all commands have, and parses the values of common options.
import { InvalidArgumentError } from 'commander'

/** @typedef {import('commander').Command} Command */

/** @param {Command} parent @param {string} usage @param {string} description */
export function add(parent, usage, description) {
  const command = parent.command(usage).description(description)
  return command.option('--json', 'print the result as JSON').exitOverride()
}

/** @param {string} written */
export function wholeNumber(written) {
  if (!/^\d{1,6}$/.test(written)) throw new InvalidArgumentError('It must be a whole number.')
  return Number(written)
}

/** Collects the values of a repeatable option. @param {string} one @param {string[]} [before] */
export function gather(one, before = []) {
  return [...before, one]
}
