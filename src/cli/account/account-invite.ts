// `watchdata account invite EMAIL`: prints a link with which the owner of an account chooses a password. The operator
// passes the link on.
import { Sessions } from '../../access/sign-in/sessions.ts'
import { systemClock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import { openLog } from '../../log.ts'
import { openMail } from '../../mail/open-mail.ts'
import { countInMemory } from '../../storage/attempts/open-attempts.ts'
import type { Database } from '../../storage/database.ts'
import { type CommonOptions, print, printJson, tell } from '../output.ts'
import { withAccount } from './account-lookup.ts'

export async function inviteCommand(email: string, { json }: CommonOptions): Promise<void> {
  await withAccount(email, async ({ database, config, account }) => {
    const invite = await makeInvite(database, config, account.id)
    if (json) return printJson({ invite })
    print(invite)
    tell(`Anyone with this link can choose the password of ${account.email}: once, within a day.`)
    tellAddress(config)
  })
}

/** The link is valid once, for a day. */
export async function makeInvite(database: Database, config: Config, accountId: string): Promise<string> {
  const log = openLog(config)
  const mail = openMail(config, systemClock, log)
  const parts = { database, config, clock: systemClock, log, mail, baseUrl: addressOf(config) }
  return new Sessions({ ...parts, attempts: countInMemory }).inviteLink(accountId)
}

/** Warns if the link has this machine's own address, which may not work elsewhere. */
export function tellAddress(config: Config): void {
  if (config.baseUrl === undefined) tell(`BASE_URL is not set: the link leads to ${addressOf(config)}.`)
}

/** The address of the service, as far as the settings tell. */
export function addressOf({ baseUrl, host, port }: Config): string {
  if (baseUrl !== undefined) return baseUrl
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${name}:${port}`
}
