// Runs a command on a terminal and types into it once it asks. What is typed earlier would be lost: the command discards
// it when it takes over the terminal.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { compileCache } from '../compile-cache.ts'

const terminal = '/usr/bin/script'

export const hasTerminal = existsSync(terminal)

export async function typeInto(
  commandLine: string,
  settings: Readonly<Record<string, string | undefined>>,
  input: string,
): Promise<{ readonly status: number; readonly stdout: string }> {
  const env = { PATH: process.env.PATH, ...compileCache, ...settings }
  const child = spawn(terminal, ['-qec', commandLine, '/dev/null'], { env })
  let stdout = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (stdout === '') child.stdin.write(input)
    stdout += text
  })
  const [status] = await once(child, 'close')
  return { status, stdout }
}
