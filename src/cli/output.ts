// In charge of what a command says and how it ends: data on stdout, messages on stderr,
// one plain sentence for what went wrong, exit codes that mean something.
import { Failure } from '../errors.ts'
import { hideSecrets } from '../secrets.ts'
import { visible } from './catalogue-texts.ts'

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

/** Reports what ended a command; what nobody foresaw comes with its stack. */
export function tellFailure(error: unknown): void {
  if (error instanceof Failure) tell(`watchdata: ${visible(error.message)}`)
  else tell(hideSecrets(`watchdata: unexpected failure: ${(error as Error)?.stack ?? error}`))
}

/** Rows as columns of even width, the last one wrapped by the terminal if need be. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
