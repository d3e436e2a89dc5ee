// In charge of letters on a machine without a mail server: one file a letter, for the operator to read or pass on.
// The log tells where a letter lies, never what it says: the links in it are secrets.
import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { EmailMessage, Mail } from './mail.ts'

export interface OutboxParts {
  readonly directory: string
  readonly from: string
  readonly clock: Clock
  readonly log: Log
}

/** Of more, the oldest go. */
export const emailsKeptMax = 1_000

export function openOutbox({ directory, from, clock, log }: OutboxParts): Mail {
  return {
    async send(message) {
      const now = clock.now()
      // Without colons, which are not for names of files everywhere; still in the order of time.
      const stamp = now.toISOString().replaceAll(':', '')
      const file = path.join(directory, `${stamp}-${randomBytes(8).toString('hex')}.eml`)
      await makeDirectory(directory)
      await writeFile(file, asText(message, from, now), { mode: 0o600, flag: 'wx' })
      log.info({ to: message.to, file }, 'a letter lies in the outbox')
      await removeOldest(directory)
    },
  }
}

/** The data directory too, where the database is elsewhere and nothing has made it yet. */
async function makeDirectory(directory: string): Promise<void> {
  for (const one of [path.dirname(directory), directory]) {
    await mkdir(one, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

function asText({ to, subject, text }: EmailMessage, from: string, now: Date): string {
  const head = [
    ['From', from],
    ['To', to],
    ['Subject', subject],
    ['Date', now.toUTCString()],
    ['MIME-Version', '1.0'],
    ['Content-Type', 'text/plain; charset=utf-8'],
    ['Content-Transfer-Encoding', '8bit'],
  ]
  // One line each: what a stranger typed must not become a header of its own.
  const lines = head.map(([name, value = '']) => `${name}: ${value.replaceAll(/[\r\n]+/g, ' ')}`)
  return `${lines.join('\n')}\n\n${text}`
}

async function removeOldest(directory: string): Promise<void> {
  const emails = (await readdir(directory)).filter((name) => name.endsWith('.eml')).sort()
  for (const name of emails.slice(0, -emailsKeptMax)) await rm(path.join(directory, name), { force: true })
}
