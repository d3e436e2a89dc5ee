// In charge of letters to account holders: by SMTP where a server is set, else into the outbox.
// Knows nothing of what they say.
import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { openOutbox } from './outbox.ts'
import { openSmtp } from './smtp.ts'

export interface Letter {
  readonly to: string
  readonly subject: string
  readonly text: string
}

export interface Mail {
  /** Resolves once the letter is with the mail server, or in its file. */
  send(letter: Letter): Promise<void>
}

export function openMail(config: Config, clock: Clock, log: Log): Mail {
  const { smtpUrl, mailFrom, dataDir } = config
  if (smtpUrl !== undefined) return openSmtp(smtpUrl, mailFrom)
  return openOutbox({ directory: path.join(dataDir, 'outbox'), from: mailFrom, clock, log })
}
