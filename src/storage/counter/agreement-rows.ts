// Reads and writes what the processes agree on: which of them are alive, and where they count. All times are by the
// database's clock.
import { sql } from 'kysely'
import type { Database } from '../database.ts'
import { nowMs } from '../database-time.ts'
import type { Agreed, Live, Step } from './agreement-step.ts'

declare module '../database.ts' {
  interface Tables {
    processes: { id: string; seen_at: number; redis_id: string | null; generation: number }
    counting: { generation: number; redis_id: string | null; is_settled: number; changed_at: number }
  }
}

export interface Beat {
  readonly agreed: Agreed
  readonly live: readonly Live[]
  /** Whether there are processes that have not been seen lately, and have not left. */
  readonly hasSilent: boolean
}

export const agreementChannel = 'watchdata_counting'

/** A process that was not seen for this long is dead. Longer than its lease, so that it has stopped to count by then. */
export const deadMs = 3_000
const forgottenMs = 3_600_000

/** Tells that this process is alive, and reads what is agreed. */
export async function beat(database: Database, { id, redisId, generation }: Live): Promise<Beat> {
  const { engine, reader } = database
  const now = nowMs(engine)
  const own = { redis_id: redisId ?? null, generation }
  const seen = reader
    .insertInto('processes')
    .values({ id, seen_at: now, ...own })
    .onConflict((oc) => oc.column('id').doUpdateSet({ seen_at: now, ...own }))
  await database.writeQuickly([seen])
  const row = await reader.selectFrom('counting').selectAll().select(now.as('now')).executeTakeFirst()
  const processes = await reader
    .selectFrom('processes')
    .select(['id', 'redis_id', 'generation', sql<number>`${now} - seen_at`.as('silent_ms')])
    .where('seen_at', '>', sql<number>`${now} - ${forgottenMs}`)
    .execute()
  if (row === undefined) throw new Error('the table of the counting place is empty')
  return {
    agreed: {
      generation: Number(row.generation),
      redisId: row.redis_id ?? undefined,
      isSettled: Number(row.is_settled) === 1,
      ageMs: Number(row.now) - Number(row.changed_at),
    },
    live: processes
      .filter(({ silent_ms }) => Number(silent_ms) < deadMs)
      .map((one) => ({
        id: one.id,
        redisId: one.redis_id ?? undefined,
        generation: Number(one.generation),
      })),
    hasSilent: processes.some(({ silent_ms }) => Number(silent_ms) >= deadMs),
  }
}

/** Takes the step unless another process was faster, and wakes the others. */
export async function takeStep(database: Database, { generation }: Agreed, step: Step): Promise<void> {
  const { engine, reader } = database
  const changed =
    step.kind === 'settle'
      ? { is_settled: 1 }
      : {
          generation: step.generation,
          redis_id: step.redisId ?? null,
          is_settled: 0,
          changed_at: nowMs(engine),
        }
  const update = reader.updateTable('counting').set(changed).where('generation', '=', generation)
  if (engine === 'sqlite') await database.writeQuickly([update])
  else {
    const moved = update.returning(sql<string>`pg_notify(${agreementChannel}, '')`.as('woken'))
    await database.writeQuickly([moved])
  }
}

/** Removes this process, and those that were not seen for long. */
export async function leave(database: Database, id: string): Promise<void> {
  const { engine, reader } = database
  const old = sql<number>`${nowMs(engine)} - ${forgottenMs}`
  await database.writeQuickly([
    reader.deleteFrom('processes').where((eb) => eb.or([eb('id', '=', id), eb('seen_at', '<', old)])),
  ])
}
