// Faults of PostgreSQL: killed, silent, failed over, out of connections, without notifications, behind pgbouncer, on a
// full disk.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Course, Fault } from './fault.ts'
import { writeDirectly } from './recovery.ts'
import { redisKilled } from './redis-faults.ts'
import { connectionsMax, type PostgresNode } from './rig/postgres-node.ts'
import type { PostgresPair } from './rig/postgres-pair.ts'

const downMs = 3_000
const frozenMs = 10_000
/** How long the primary writes what its replica never gets. */
const lostMs = 2_000
/** How many rows more are written after the promotion than were lost. */
const moreRows = 20
const exhaustedMs = 8_000
const grabEveryMs = 20
const cutMs = 6_000
const cutEveryMs = 300
const fullMs = 8_000

export const postgresKilled: Fault = {
  name: 'pg-kill',
  description: 'PostgreSQL killed, and restarted after 3 s',
  seconds: 4,
  mayFail: 'some',
  async strike({ rig }) {
    await rig.primary().kill()
    await delay(downMs)
    await rig.primary().restart()
  },
}

export const postgresFrozen: Fault = {
  name: 'pg-stop',
  description: 'PostgreSQL does not respond for 10 s (SIGSTOP)',
  seconds: 10,
  mayFail: 'some',
  async strike({ rig }) {
    rig.primary().freeze()
    await delay(frozenMs)
    rig.primary().thaw()
  },
}

export const postgresPromoted: Fault = {
  name: 'pg-promote',
  description: 'the primary lost, and its replica promoted with all rows',
  rig: { postgres: 'pair' },
  seconds: 3,
  mayFail: 'some',
  async strike(course) {
    const { writer } = course
    const pair = pairOf(course)
    await writer.pause()
    await pair.catchUp()
    writer.resume()
    await pair.failOver()
  },
}

export const postgresPromotedWithLoss: Fault = {
  name: 'pg-promote-lost',
  description: 'the primary lost with rows that the replica never got; then more other rows',
  rig: { postgres: 'pair' },
  seconds: 6,
  mayFail: 'some',
  losesWrites: true,
  async strike(course) {
    const { rig, writer } = course
    const pair = pairOf(course)
    await pair.stopReplication()
    const before = writer.writes.length
    await delay(lostMs)
    await pair.failOver()
    const lost = writer.writes.length - before
    const changes = Array.from({ length: lost + moreRows }, () => writer.next())
    await writeDirectly(rig, writer, changes)
  },
}

export const connectionsExhausted: Fault = {
  name: 'pg-connections',
  description: 'other clients take every connection of PostgreSQL for 8 s',
  seconds: 8,
  mayFail: 'some',
  async strike({ rig }) {
    const taken: pg.Client[] = []
    const untilMs = performance.now() + exhaustedMs
    while (performance.now() < untilMs) {
      const client = await takeConnection(rig.primary())
      if (client === undefined) await delay(grabEveryMs)
      else if (taken.push(client) > connectionsMax) throw new Error('PostgreSQL has no limit of connections')
    }
    await Promise.allSettled(taken.map((client) => client.end()))
  },
}

export const listenCut: Fault = {
  name: 'listen-cut',
  description: 'the listening connections cut every 300 ms, for 6 s',
  seconds: 6,
  mayFail: 'none',
  async strike({ rig }) {
    const untilMs = performance.now() + cutMs
    while (performance.now() < untilMs) {
      await rig
        .primary()
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where query ilike 'listen %'`)
      await delay(cutEveryMs)
    }
  },
}

export const behindPgbouncer: Fault = {
  name: 'pgbouncer',
  description: 'pgbouncer in transaction mode before PostgreSQL, while Redis is down for 3 s',
  rig: { hasPgbouncer: true },
  seconds: 4,
  mayFail: 'none',
  // Without Redis, requests are counted in the database too.
  strike: redisKilled.strike,
}

export const diskFull: Fault = {
  name: 'pg-disk-full',
  description: 'the disk of PostgreSQL full for 8 s',
  rig: { postgres: 'small disk' },
  seconds: 9,
  mayFail: 'some',
  async strike({ rig: { postgres } }) {
    assert(postgres.kind === 'small disk')
    const { node, disk } = postgres
    disk.fill()
    // Else the space that is reserved for the next writes would last for the whole row.
    await node.query('select pg_switch_wal()').catch(() => {})
    const untilMs = performance.now() + fullMs
    while (performance.now() < untilMs) {
      await delay(cutEveryMs)
      disk.fill()
    }
    disk.free()
    // Without space for its log PostgreSQL ends: then the operator starts it again.
    if (await isDown(node)) await node.restart()
  },
}

function pairOf({ rig: { postgres } }: Course): PostgresPair {
  assert(postgres.kind === 'pair')
  return postgres.pair
}

async function takeConnection({ url }: PostgresNode): Promise<pg.Client | undefined> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    return client
  } catch {
    return undefined
  }
}

async function isDown(node: PostgresNode): Promise<boolean> {
  return node.query('select 1').then(
    () => false,
    () => true,
  )
}
