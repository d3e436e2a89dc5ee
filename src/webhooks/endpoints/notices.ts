// Emails an owner that a webhook was disabled: once, from whichever process is first.
import type { Log } from '../../log.ts'
import type { EmailMessage, Mail } from '../../mail/mail.ts'
import type { Database } from '../../storage/database.ts'
import type { EndpointRow } from './endpoints.ts'

export interface NoticeParts {
  readonly database: Database
  readonly mail: Mail
  readonly log: Log
}

const noticesMax = 100

export async function notifyOwners({ database, mail, log }: NoticeParts): Promise<void> {
  const due = await database.reader
    .selectFrom('webhook_endpoints')
    .innerJoin('accounts', 'accounts.id', 'webhook_endpoints.account_id')
    .select(['webhook_endpoints.id', 'endpoint_url', 'notice', 'email'])
    .where('webhook_endpoints.status', '=', 'disabled')
    .where('notice', 'is not', null)
    .limit(noticesMax)
    .execute()
  for (const { id, endpoint_url, notice, email } of due) {
    if (!(await setNotice(database, id, notice, null))) continue
    try {
      await mail.send(endpointDisabledEmail(email, { id, endpoint_url, notice }))
      log.info({ webhook: id, reason: notice }, 'a webhook is disabled, and its owner was notified')
    } catch (error) {
      // The email is retried later. Its failure must not keep other owners from getting theirs.
      await setNotice(database, id, null, notice)
      log.warn({ err: error, webhook: id }, 'a webhook is disabled, and its owner could not be notified')
    }
  }
}

/** Returns false if another process was faster. */
function setNotice(database: Database, id: number, from: string | null, to: string | null): Promise<boolean> {
  return database.write(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('webhook_endpoints')
      .set({ notice: to })
      .where('id', '=', id)
      .where('status', '=', 'disabled')
      .where('notice', from === null ? 'is' : '=', from)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  })
}

type Disabled = Pick<EndpointRow, 'id' | 'endpoint_url' | 'notice'>

/** Leaves out the query of the URL, which may contain a secret. */
function endpointDisabledEmail(to: string, { id, endpoint_url, notice }: Disabled): EmailMessage {
  const why =
    notice === 'gone'
      ? 'It responded with 410 Gone, which means that it wants no more events.'
      : 'Every attempt to send to it failed for five days.'
  const { origin, pathname } = new URL(endpoint_url)
  return {
    to,
    subject: 'Your webhook was disabled',
    text: `${[
      `We no longer send events to your webhook ${id}, ${origin}${pathname}.`,
      why,
      'Events that were waiting for it are stored for 30 days. When the receiver works again, set the status of the webhook to active: the waiting events are then sent in order. Changes made in the meantime are available from the change feed.',
    ].join('\n\n')}\n`,
  }
}
