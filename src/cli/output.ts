// Prints the output of commands: data on stdout, messages on stderr, and failures as plain sentences.
import { Failure } from '../errors.ts'
import { hideSecrets } from '../secrets.ts'
import { visibleLines } from './catalogue-texts.ts'

export interface CommonOptions {
  readonly json?: boolean
}

export const failedCode = 1

export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value))
}

export function tell(text: string): void {
  process.stderr.write(`${text}\n`)
}

/** Prints the failure that ended a command. An unexpected error is printed with its stack. */
export function tellFailure(error: unknown): void {
  if (error instanceof Failure) tell(`watchdata: ${visibleLines(error.message)}`)
  else tell(hideSecrets(`watchdata: unexpected failure: ${(error as Error)?.stack ?? error}`))
}

/** Formats columns of even width. Those listed in `right` are aligned to the right, as for numbers. */
export function table(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const cell = (text: string, at: number) =>
    right.includes(at) ? text.padStart(widths[at] ?? 0) : text.padEnd(widths[at] ?? 0)
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n')
}
