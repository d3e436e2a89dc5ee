// `watchdata key create`, `list`, `revoke` and `roll`: manages the keys of an account. Keys are named by their ids or
// their last characters, never by the key itself, because others can see the command line.
import { issueKey, type KeyInfo, listKeys, revokeKey, rollKey } from '../../access/keys/keys.ts'
import { systemClock } from '../../clock.ts'
import { Failure } from '../../errors.ts'
import type { Reader } from '../../storage/database.ts'
import { type CommonOptions, print, printJson, table, tell } from '../output.ts'
import { withAccount } from './account-lookup.ts'

interface CreateOptions extends CommonOptions {
  readonly name: string
  readonly expires?: number
  readonly test?: boolean
}

type RollOptions = CommonOptions & { readonly overlap: number }

const dayMs = 86_400_000
const hourMs = 3_600_000

export async function createCommand(
  email: string,
  { json, name, expires, test = false }: CreateOptions,
): Promise<void> {
  const expiresAt = expires === undefined ? undefined : new Date(systemClock.nowMs() + expires * dayMs)
  await withAccount(email, async ({ database, account }) => {
    const made = await database.write((tx) =>
      issueKey(tx, systemClock, account.id, { name, expiresAt, isTest: test }),
    )
    if (json) printJson(made)
    else {
      print(made.key)
      tell(`The key is shown only now. It is valid until ${made.expires_at ?? 'it is revoked'}.`)
    }
  })
}

export async function listCommand(email: string, { json }: CommonOptions): Promise<void> {
  const keys = await withAccount(email, ({ database, account }) =>
    listKeys(database.reader, systemClock, account.id),
  )
  if (json) printJson(keys)
  else if (keys.length === 0) tell('No keys.')
  else print(keyTable(keys))
}

export async function revokeCommand(email: string, raw: string, { json }: CommonOptions): Promise<void> {
  refuseSecret(raw)
  await withAccount(email, async ({ database, account }) => {
    const { id } = await getNamed(database.reader, account.id, raw)
    await database.write((tx) => revokeKey(tx, systemClock, account.id, id))
    const revoked = await getNamed(database.reader, account.id, id)
    if (json) printJson(revoked)
    else print(`Revoked ${revoked.name} (…${revoked.hint}): it is rejected within a second.`)
  })
}

export async function rollCommand(email: string, raw: string, options: RollOptions): Promise<void> {
  refuseSecret(raw)
  await withAccount(email, async ({ database, account }) => {
    const { id } = await getNamed(database.reader, account.id, raw)
    const made = await database.write((tx) =>
      rollKey(tx, systemClock, account.id, id, options.overlap * hourMs),
    )
    const old = await getNamed(database.reader, account.id, id)
    if (options.json) printJson({ ...made, rolled: old })
    else {
      print(made.key)
      tell(`The key is shown only now. The old one (…${old.hint}) is valid until ${old.expires_at}.`)
    }
  })
}

export function keyTable(keys: readonly KeyInfo[]): string {
  const rows = keys.map((key) => [
    key.id,
    `…${key.hint}`,
    key.is_test ? 'test' : 'live',
    key.status,
    key.created_at,
    key.last_used_at ?? '–',
    key.revoked_at ?? key.expires_at ?? '–',
    key.name,
  ])
  return table([['key', 'hint', 'mode', 'status', 'created', 'last used', 'ends', 'name'], ...rows])
}

function refuseSecret(raw: string): void {
  if (!/wd_(live|test)_/.test(raw)) return
  throw new Failure(
    'A key does not belong on a command line, where others can see it: name it by its id or its last four characters, which `watchdata key list` shows.',
  )
}

/** Finds a key by id or by hint. Of several keys with the same hint, only the valid one counts. */
async function getNamed(reader: Reader, accountId: string, raw: string): Promise<KeyInfo> {
  const keys = await listKeys(reader, systemClock, accountId)
  const named = keys.filter(({ id, hint }) => id === raw || hint === raw.replace(/^…/, ''))
  const good = named.filter(({ status }) => status === 'active' || status === 'expiring')
  const [found, ...others] = good.length > 0 ? good : named
  if (found === undefined) {
    throw new Failure(`The account has no key ${raw}: \`watchdata key list\` shows its keys.`)
  }
  if (others.length > 0) throw new Failure(`Several keys end in ${raw}: give the id of the key.`)
  return found
}
