// In charge of telling an owner that a webhook was disabled: once, by whichever process is first.
import type { Log } from '../../log.ts'
import type { EmailMessage, Mail } from '../../mail/mail.ts'
import type { Database } from '../../storage/database.ts'

export interface NoticeParts {
  readonly database: Database
  readonly mail: Mail
  readonly log: Log
}

const noticesMax = 100

export async function tellOwners({ database, mail, log }: NoticeParts): Promise<void> {
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
      log.info({ webhook: id, reason: notice }, 'a webhook is disabled, and its owner was told')
    } catch (error) {
      // It is tried again, and must not keep others from their letters.
      await setNotice(database, id, null, notice)
      log.warn({ err: error, webhook: id }, 'a webhook is disabled, and its owner could not be told')
    }
  }
}

/** False where another has been quicker. */
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

interface Disabled {
  readonly id: number
  readonly endpoint_url: string
  readonly notice: string | null
}

/** Without what may be secret in the address: its query. */
function endpointDisabledEmail(to: string, { id, endpoint_url, notice }: Disabled): EmailMessage {
  const why =
    notice === 'gone'
      ? 'It answered 410 Gone, by which a receiver says that it wants no more events.'
      : 'For five days it took nothing at all: every attempt failed.'
  const { origin, pathname } = new URL(endpoint_url)
  return {
    to,
    subject: 'A webhook of yours was disabled',
    text: `${[
      `We no longer send events to your webhook ${id}, ${origin}${pathname}.`,
      why,
      'What was waiting for it is kept for 30 days. When the receiver works again, set the status of the webhook to active: what waits is then sent in order. What has happened meanwhile can be had from the change feed.',
    ].join('\n\n')}\n`,
  }
}
