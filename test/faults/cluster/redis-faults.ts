// Faults of Redis: killed, silent, full, replaced by an empty one, failed over by Sentinels, a part of a cluster lost.
import assert from 'node:assert/strict'
import { setTimeout as delay } from 'node:timers/promises'
import type { Course, Fault } from './fault.ts'
import type { RedisNode } from './rig/redis-node.ts'

const downMs = 3_000
const frozenMs = 10_000
const fullMs = 5_000

export const redisKilled: Fault = {
  name: 'redis-kill',
  description: 'Redis killed, and restarted empty after 3 s',
  seconds: 4,
  mayFail: 'none',
  strike: (course) => killAndRestart(nodeOf(course), downMs),
}

export const redisFrozen: Fault = {
  name: 'redis-stop',
  description: 'Redis does not respond for 10 s (SIGSTOP)',
  seconds: 10,
  mayFail: 'none',
  async strike(course) {
    nodeOf(course).freeze()
    await delay(frozenMs)
    nodeOf(course).thaw()
  },
}

export const redisFull: Fault = {
  name: 'redis-full',
  description: 'Redis out of memory for 5 s (maxmemory, noeviction)',
  seconds: 5,
  mayFail: 'none',
  async strike(course) {
    const node = nodeOf(course)
    await node.command('CONFIG', 'SET', 'maxmemory', '1')
    await delay(fullMs)
    await node.command('CONFIG', 'SET', 'maxmemory', '0')
  },
}

export const redisReplaced: Fault = {
  name: 'redis-empty',
  description: 'Redis flushed, and then replaced by an empty one at once',
  seconds: 3,
  mayFail: 'none',
  async strike(course) {
    const node = nodeOf(course)
    await node.command('FLUSHALL')
    await delay(downMs / 2)
    await killAndRestart(node, 0)
  },
}

export const redisFailedOver: Fault = {
  name: 'redis-failover',
  description: 'the master of Redis killed, and its replica promoted by the Sentinels',
  rig: { redis: 'sentinel' },
  seconds: 5,
  mayFail: 'none',
  async strike({ rig: { redis } }) {
    assert(redis.kind === 'sentinel')
    await redis.group.failOver()
    // It comes back as a master, until the Sentinels make it a replica.
    await redis.group.nodes[0].server.restart()
  },
}

export const redisClusterBroken: Fault = {
  name: 'redis-cluster',
  description: 'one of three masters of a Redis Cluster killed, and restarted after 3 s',
  rig: { redis: 'cluster' },
  seconds: 4,
  mayFail: 'none',
  async strike({ rig: { redis } }) {
    assert(redis.kind === 'cluster')
    const [, second] = redis.cluster.nodes
    assert(second !== undefined)
    await killAndRestart(second, downMs)
  },
}

async function killAndRestart({ server }: RedisNode, afterMs: number): Promise<void> {
  await server.kill()
  await delay(afterMs)
  await server.restart()
}

function nodeOf({ rig: { redis } }: Course): RedisNode {
  assert(redis.kind === 'single')
  return redis.node
}
