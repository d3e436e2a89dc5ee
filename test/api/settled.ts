// Waits until a server has caught up with the change log of its database, which it polls once a second.
import { expect, vi } from 'vitest'
import { getHead } from '../../src/changes/log.ts'
import { patience } from '../patience.ts'
import type { PlanServer } from './plan-server.ts'

export async function sequenceOf({ database }: PlanServer): Promise<number> {
  return (await getHead(database.reader)).sequence
}

export async function settled(server: PlanServer): Promise<void> {
  const sequence = await sequenceOf(server)
  await vi.waitFor(async () => {
    const answer = await server.ask('pro', '/changes?since=now')
    const { meta } = (await answer.json()) as { meta: { next_cursor: string } }
    expect(meta.next_cursor).toMatch(new RegExp(`-${sequence}-`))
  }, patience)
}
