// In charge of the log: JSON lines (pretty on a terminal), from which secrets are taken out twice:
// by field name, and by shape wherever one slips into a text, a URL or a stack.
import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'
import type { Config } from './config.ts'
import { hidden, hideSecrets } from './secrets.ts'

export type Log = Logger

const secretFields = ['authorization', 'cookie', 'set-cookie', 'password', 'secret', 'token', 'key', 'apiKey']
const secretPaths = secretFields.flatMap((field) => {
  const quoted = `["${field}"]`
  return [quoted, `*${quoted}`, `*.headers${quoted}`, `*.*${quoted}`]
})

export async function openLog(config: Config, destination?: DestinationStream): Promise<Log> {
  return pino(
    {
      level: config.logLevel,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: secretPaths, censor: hidden },
      hooks: { streamWrite: hideSecrets },
    },
    destination ?? (await standardOutput(config)),
  )
}

async function standardOutput(config: Config): Promise<DestinationStream> {
  const isPretty =
    config.logFormat === 'pretty' || (config.logFormat === 'auto' && process.stdout.isTTY === true)
  if (!isPretty) return pino.destination({ fd: 1, sync: true })
  const { prettyFactory } = await import('pino-pretty')
  const pretty = prettyFactory({ translateTime: 'SYS:HH:MM:ss', singleLine: true })
  return { write: (line) => void process.stdout.write(pretty(line)) }
}
