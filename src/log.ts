// Opens the log: JSON lines (pretty on a terminal), from which secrets are removed twice: by field name at any depth,
// and by shape wherever one appears in a text, a URL or a stack trace.
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
      // `hide` has already serialised the error; a second time would lose its class.
      serializers: { err: (plain) => plain },
      hooks: { streamWrite: hideSecrets },
    },
    destination,
  )
}

/** Pretty on a terminal, JSON elsewhere, unless the setting says otherwise. */
export async function openTerminal(config: Config, fd: number): Promise<DestinationStream> {
  const output = openFd(fd)
  const isPretty = config.logFormat === 'pretty' || (config.logFormat === 'auto' && isatty(fd))
  if (!isPretty) return output
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return { write: (line) => output.write(pretty(line)) }
}

/** Writes synchronously: the last line before the process ends is the one that matters. */
function openFd(fd: number): DestinationStream {
  const output = pino.destination({ fd, sync: true })
  return {
    write(line) {
      try {
        output.write(line)
      } catch {
        // The disk is full or the reader is gone: it is better to lose a line than the service.
      }
    },
  }
}
