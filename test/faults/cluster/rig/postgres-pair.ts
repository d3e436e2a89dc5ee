// Runs a PostgreSQL primary with a streaming replica, which is asynchronous: loses the primary and promotes the
// replica, with or without the last rows.
import { until } from '../until.ts'
import { type NodePlan, type PostgresNode, startNode } from './postgres-node.ts'

const replayMaxMs = 10_000

export class PostgresPair {
  readonly first: PostgresNode
  readonly second: PostgresNode
  #primary: PostgresNode

  constructor(first: PostgresNode, second: PostgresNode) {
    this.first = first
    this.second = second
    this.#primary = first
  }

  /** Names both servers; the one that accepts writes is meant. */
  get url(): string {
    const hosts = [this.first, this.second].map(({ port }) => `127.0.0.1:${port}`)
    return `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write`
  }

  get primary(): PostgresNode {
    return this.#primary
  }

  /** Waits until the replica has replayed all that the primary has written so far. */
  async catchUp(): Promise<void> {
    const [row] = await this.first.query('select pg_current_wal_lsn()::text as lsn')
    const isThere = async () => {
      const [answer] = await this.second.query(
        `select pg_last_wal_replay_lsn() >= '${row?.lsn}'::pg_lsn as reached`,
      )
      return answer?.reached === true
    }
    await until('the replica has replayed everything', isThere, replayMaxMs)
  }

  /** From now on nothing that the primary commits reaches the replica. */
  async stopReplication(): Promise<void> {
    await this.second.query(`alter system set primary_conninfo = ''`)
    await this.second.query('select pg_reload_conf()')
    const isCut = async () => (await this.first.query('select 1 from pg_stat_replication')).length === 0
    await until('the replica has disconnected', isCut, replayMaxMs)
  }

  /** Kills the primary, and returns when the replica accepts writes. */
  async failOver(): Promise<void> {
    await this.first.kill()
    await this.second.query('select pg_promote(true, 30)')
    this.#primary = this.second
  }

  async stop(): Promise<void> {
    await Promise.all([this.first.stop(), this.second.stop()])
  }
}

export async function startPair(plan: NodePlan): Promise<PostgresPair> {
  const first = await startNode(plan)
  const second = await startNode({ primary: first })
  const pair = new PostgresPair(first, second)
  await pair.catchUp()
  return pair
}
