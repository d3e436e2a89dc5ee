// Writes emails to files if no mail server is configured, one file per email, for the operator to read or forward.
// The log has the path of the file, never its text: the links in emails are secrets.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { EmailMessage, Mail } from './mail.ts'

/** The maximum number of files; the oldest are removed. */
export const emailsKeptMax = 1_000

export function openOutbox(directory: string, from: string, clock: Clock, log: Log): Mail {
  return {
    async send(message) {
      const now = clock.now()
      // Without colons, which some file systems do not allow; names still sort by time.
      const stamp = now.toISOString().replaceAll(':', '')
      const file = path.join(directory, `${stamp}-${randomBytes(8).toString('hex')}.eml`)
      await makeDirectory(directory)
      await writeFile(file, asText(message, from, now), { mode: 0o600, flag: 'wx' })
      log.info({ to: message.to, file }, 'wrote an email to the outbox')
      await removeOldest(directory)
    },
  }
}

/** Also creates the data directory, which may not exist yet if the database is elsewhere. */
async function makeDirectory(directory: string): Promise<void> {
  for (const one of [path.dirname(directory), directory]) {
    await mkdir(one, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function asText({ to, subject, text }: EmailMessage, from: string, now: Date): string {
  const head = {
    From: from,
    To: to,
    Subject: subject,
    Date: now.toUTCString(),
    'MIME-Version': '1.0',
    'Content-Type': 'text/plain; charset=utf-8',
    'Content-Transfer-Encoding': '8bit',
  }
  // Line breaks are removed: input from an unauthenticated caller must not inject a header.
  const lines = Object.entries(head).map(([name, value]) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  return `${lines.join('\n')}\n\n${text}`
}

async function removeOldest(directory: string): Promise<void> {
  const emails = (await readdir(directory)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of emails.slice(0, -emailsKeptMax)) await rm(path.join(directory, name), { force: true })
}
