// `watchdata account invite EMAIL`: a link by which the owner of an account chooses a password, for who hands it over.
import { openSessions } from '../../access/sign-in/sessions.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { openLog } from '../../log.ts'
import { openMail } from '../../mail/open-mail.ts'
import type { Database } from '../../storage/database.ts'
import { type CommonOptions, print, printJson, tell } from '../output.ts'
import { withAccount } from './account-lookup.ts'

export async function inviteCommand(email: string, { json }: CommonOptions): Promise<void> {
  await withAccount(email, async ({ database, config, account }) => {
    const invite = await makeInvite(database, config, account.id)
    if (json) return printJson({ invite })
    print(invite)
    tell(`Whoever has this link chooses the password of ${account.email}: once, within a day.`)
    tellAddress(config)
  })
}

/** Good once, for a day. */
export async function makeInvite(database: Database, config: Config, accountId: string): Promise<string> {
  const log = openLog(config)
  const mail = openMail(config, systemClock, log)
  const parts = { database, config, clock: systemClock, log, mail, baseUrl: addressOf(config) }
  return openSessions(parts).inviteLink(accountId)
}

/** A link is of no use to anyone else where the address is only this machine's. */
export function tellAddress(config: Config): void {
  if (config.baseUrl === undefined) tell(`BASE_URL is not set: the link leads to ${addressOf(config)}.`)
}

/** Where the service will be, as far as the settings tell. */
export function addressOf({ baseUrl, host, port }: Config): string {
  if (baseUrl !== undefined) return baseUrl
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
