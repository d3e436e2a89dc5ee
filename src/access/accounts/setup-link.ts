// Manages the setup link with which the first operator creates an account. The link is printed at start while there is
// no operator, and is valid until there is one or the next start prints another. Only a digest of its token is stored.
import { hash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Database, Reader } from '../../storage/database.ts'
import { hasOperator, setupSecret } from './accounts.ts'

const tokenBytes = 32

/** Creates and stores the token of a new link; returns undefined if there is an operator. */
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
