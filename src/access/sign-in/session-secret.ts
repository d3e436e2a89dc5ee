// Provides the secret that signs cookies and encrypts second factors: the operator's, or else one that is generated
// once and stored in the database, so that all processes use the same.
import { randomBytes } from 'node:crypto'
import type { Config } from '../../config.ts'
import type { Database, Reader } from '../../storage/database.ts'

declare module '../../storage/database.ts' {
  interface Tables {
    secrets: { name: string; value: string }
  }
}

const secretName = 'session'
const secretBytes = 32

export async function provideSecret(database: Database, { sessionSecret }: Config): Promise<string> {
  const known = sessionSecret ?? (await findSecret(database.reader))
  if (known !== undefined) return known
  return database.write(async (tx) => {
    await database.lock(tx, 'secrets')
    // Another process may have generated it meanwhile.
    const made = await findSecret(tx)
    if (made !== undefined) return made
    const value = randomBytes(secretBytes).toString('base64url')
    await tx.insertInto('secrets').values({ name: secretName, value }).execute()
    return value
  })
}

async function findSecret(reader: Reader): Promise<string | undefined> {
  const row = await reader
    .selectFrom('secrets')
    .select('value')
    .where('name', '=', secretName)
    .executeTakeFirst()
  return row?.value
}
