// In charge of the link by which the first operator makes an account: printed at start while there is none, good until
// there is one or the next start prints another. Of its token only a digest is kept.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Reader } from '../../storage/database.ts'
import { hasOperator, setupSecret } from './accounts.ts'

const tokenBytes = 32

/** The token of a new link; undefined when there is an operator. */
export async function makeSetupToken(database: Database): Promise<string | undefined> {
  if (await hasOperator(database.reader)) return undefined
  const token = randomBytes(tokenBytes).toString('base64url')
  const row = { name: setupSecret, value: digestOf(token) }
  await database.write((tx) =>
    tx
      .insertInto('secrets')
      .values(row)
      .onConflict((oc) => oc.column('name').doUpdateSet({ value: row.value }))
      .execute(),
  )
  return token
}

export async function isSetupToken(reader: Reader, token: string): Promise<boolean> {
  if (await hasOperator(reader)) return false
  const row = await reader
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', setupSecret)
    .executeTakeFirst()
  const [kept, given] = [Buffer.from(row?.value ?? ''), Buffer.from(digestOf(token))]
  return kept.length === given.length && timingSafeEqual(kept, given)
}

function digestOf(token: string): string {
  return hash('sha256', token)
}
