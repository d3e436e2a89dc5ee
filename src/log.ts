// In charge of the log: JSON lines (pretty on a terminal), from which secrets are taken out twice:
// by field name at any depth, and by shape wherever one slips into a text, a URL or a stack.
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { hideFields, hideSecrets } from './secrets.ts'

export type Log = Logger

export const stdoutFd = 1
export const stderrFd = 2

const hide = (fields: Record<string, unknown>) => hideFields(fields, (error) => stdSerializers.err(error))

export function openLog(config: Config, destination: DestinationStream = openFd(stderrFd)): Log {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }), bindings: hide, log: hide },
      // Made plain by `hide` already; a second time would lose its class.
      serializers: { err: (plain) => plain },
      hooks: { streamWrite: hideSecrets },
    },
    destination,
  )
}

/** On a terminal for people, elsewhere for programs, unless the setting says otherwise. */
export async function openTerminal(config: Config, fd: number): Promise<DestinationStream> {
  const output = openFd(fd)
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isatty(fd))
  if (!isPretty) return output
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return { write: (line) => output.write(pretty(line)) }
}

/** Written at once: the last line before an end is the one that matters. */
function openFd(fd: number): DestinationStream {
  const output = pino.destination({ fd, sync: true })
  return {
    write(line) {
      try {
        output.write(line)
      } catch {
        // A full disk or a reader that left: better a line lost than the service.
      }
    },
  }
}
