// Begins an epoch: the id of this lifetime of the database, new after every restore.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Tx } from './database.ts'

declare module './database.ts' {
  interface Tables {
    epoch: { id: string; started_at: string }
  }
}

export async function beginEpoch(tx: Tx, clock: Clock): Promise<void> {
  await tx.deleteFrom('epoch').execute()
  await tx.insertInto('epoch').values({ id: randomUUID(), started_at: clock.now().toISOString() }).execute()
}
