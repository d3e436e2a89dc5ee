// In charge of the log: JSON lines (pretty on a terminal), from which secrets are taken out twice:
// by field name at any depth, and by shape wherever one slips into a text, a URL or a stack.
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino, stdSerializers, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { hideFields, hideSecrets } from './secrets.ts'

export type Log = Logger

export const stdoutFd = 1
export const stderrFd = 2

export function openLog(config: Config, destination: DestinationStream = openFd(stderrFd)): Log {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => hideFields(fields, (error) => stdSerializers.err(error)),
      },
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
  return pino.destination({ fd, sync: true })
}
