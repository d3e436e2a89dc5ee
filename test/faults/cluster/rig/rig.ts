// Builds the cluster that a row of the drill breaks: watchdata processes behind haproxy, PostgreSQL, Redis, and what a
// row wants in between. Everything is on loopback, and is gone after `close`.
import type { Environment } from '../../../../src/config.ts'
import { findFreePort } from '../../../programs/free-port.ts'
import { ClusterProcess } from './cluster-process.ts'
import { wrongClock } from './faketime.ts'
import { startProxy } from './haproxy.ts'
import { startPgbouncer } from './pgbouncer.ts'
import type { PostgresNode } from './postgres-node.ts'
import { type PostgresSide, startPostgresSide } from './postgres-side.ts'
import { type RedisSide, startRedisSide } from './redis-side.ts'
import type { Template } from './template.ts'
import { makeDirectory } from './temporary-directory.ts'

export interface RigPlan {
  readonly processes: number
  readonly postgres: PostgresSide['kind']
  readonly redis: RedisSide['kind']
  /** Whether the processes reach PostgreSQL through pgbouncer. */
  readonly hasPgbouncer: boolean
  /** How much the clocks of the last processes are wrong, such as `+90s`. */
  readonly clocks: readonly string[]
  readonly planLimits: string
}

export interface Rig {
  /** The address of haproxy. */
  readonly url: string
  readonly processes: readonly ClusterProcess[]
  readonly postgres: PostgresSide
  readonly redis: RedisSide
  /** How the service, and everybody who writes as it does, reaches the database. */
  readonly database: Environment
  /** The server that accepts writes now. */
  primary(): PostgresNode
  close(): Promise<void>
}

const own = {
  DATABASE_POOL_SIZE: '5',
  SAMPLE_CATALOGUE: 'false',
  BURST_LIMIT: '0',
  TRUST_PROXY: '127.0.0.1',
  LOG_LEVEL: 'error',
  WEBHOOK_ALLOW_CIDR: '127.0.0.0/8',
  WEBHOOK_ALLOW_HTTP: 'true',
}

export async function openRig(plan: RigPlan, template: Template): Promise<Rig> {
  await using opened = new AsyncDisposableStack()
  const directory = await makeDirectory('rig')
  opened.defer(directory.remove)
  const postgres = await startPostgresSide(plan.postgres, template.data)
  opened.defer(() => postgres.stop())
  const redis = await startRedisSide(plan.redis)
  opened.defer(() => redis.stop())
  let database: Environment = { DATABASE_URL: postgres.url }
  if (plan.hasPgbouncer) {
    const bouncer = await startPgbouncer(postgres.primary())
    opened.defer(() => bouncer.server.stop())
    database = { DATABASE_URL: bouncer.url, DATABASE_LISTEN_URL: postgres.url }
  }
  const settings = {
    ...own,
    ...database,
    REDIS_URL: redis.url,
    PLAN_LIMITS: plan.planLimits,
    DATA_DIR: directory.path,
  }
  const processes = await makeProcesses(plan, settings)
  opened.defer(async () => void (await Promise.all(processes.map((one) => one.end()))))
  await Promise.all(processes.map((one) => one.start()))
  const proxy = await startProxy(processes.map(({ port }) => port))
  opened.defer(() => proxy.stop())
  const all = opened.move()
  return {
    url: `http://127.0.0.1:${proxy.port}`,
    processes,
    postgres,
    redis,
    database,
    primary: () => postgres.primary(),
    close: () => all.disposeAsync(),
  }
}

async function makeProcesses({ processes: count, clocks }: RigPlan, settings: Environment) {
  const processes: ClusterProcess[] = []
  for (let at = 0; at < count; at++) {
    const offset = clocks[at - (count - clocks.length)]
    const clock = offset === undefined ? {} : await wrongClock(offset)
    processes.push(new ClusterProcess(await findFreePort(), { ...settings, ...clock }))
  }
  return processes
}
