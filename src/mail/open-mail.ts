// Opens the mail transport: SMTP if a mail server is configured, otherwise files in the outbox folder.
import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { Mail } from './mail.ts'
import { openOutbox } from './outbox.ts'
import { openSmtp } from './smtp.ts'

export function openMail(config: Config, clock: Clock, log: Log): Mail {
  const { smtpUrl, mailFrom, dataDir } = config
  if (smtpUrl !== undefined) return openSmtp(smtpUrl, mailFrom)
  return openOutbox(path.join(dataDir, 'outbox'), mailFrom, clock, log)
}
