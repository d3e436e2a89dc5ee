// Runs Redis with a replica and three Sentinels, which promote the replica when the master is lost.

import { until } from '../until.ts'
import { inMemory, type RedisNode, startRedisNode } from './redis-node.ts'

export interface SentinelGroup {
  readonly url: string
  readonly nodes: readonly [RedisNode, RedisNode]
  /** Kills the master, and returns when the Sentinels name another one. */
  failOver(): Promise<void>
  stop(): Promise<void>
}

const name = 'mymaster'
const downAfterMs = 1_000
const failoverMaxMs = 30_000
const readyMaxMs = 15_000

export async function startSentinelGroup(): Promise<SentinelGroup> {
  const master = await startRedisNode(inMemory)
  const replica = await startRedisNode([...inMemory, `replicaof 127.0.0.1 ${master.port}`])
  await until('the replica of Redis follows', () => isLinked(replica), readyMaxMs)
  const monitor = [
    `sentinel monitor ${name} 127.0.0.1 ${master.port} 2`,
    `sentinel down-after-milliseconds ${name} ${downAfterMs}`,
    `sentinel failover-timeout ${name} 5000`,
  ]
  const sentinels: RedisNode[] = []
  for (let at = 0; at < 3; at++) sentinels.push(await startRedisNode(monitor, ['--sentinel']))
  const [first] = sentinels as [RedisNode]
  const masterPort = async () => {
    const answer = (await first.command('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)) as string[]
    return Number(answer[1])
  }
  await until('the Sentinels know each other', () => isComplete(first), readyMaxMs)
  return {
    url: `redis+sentinel://${sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',')}/${name}`,
    nodes: [master, replica],
    async failOver() {
      await master.server.kill()
      const isOther = async () => (await masterPort()) === replica.port && (await isMaster(replica))
      await until('the Sentinels have promoted the replica', isOther, failoverMaxMs)
    },
    async stop() {
      await Promise.all([...sentinels, replica, master].map(({ server }) => server.stop()))
    },
  }
}

async function isLinked(node: RedisNode): Promise<boolean> {
  return String(await node.command('INFO', 'replication')).includes('master_link_status:up')
}

async function isMaster(node: RedisNode): Promise<boolean> {
  return String(await node.command('INFO', 'replication')).includes('role:master')
}

async function isComplete(sentinel: RedisNode): Promise<boolean> {
  const info = String(await sentinel.command('INFO', 'sentinel'))
  return info.includes('slaves=1,sentinels=3')
}
