// The table of faults, one for each row of the drill.
import type { Fault } from './fault.ts'
import {
  behindPgbouncer,
  connectionsExhausted,
  diskFull,
  listenCut,
  postgresFrozen,
  postgresKilled,
  postgresPromoted,
  postgresPromotedWithLoss,
} from './postgres-faults.ts'
import { kills, quiet, rollingRestarts, wrongClocks } from './process-faults.ts'
import {
  redisClusterBroken,
  redisFailedOver,
  redisFrozen,
  redisFull,
  redisKilled,
  redisReplaced,
} from './redis-faults.ts'

const restarts = 20

export const faults: readonly Fault[] = [
  quiet,
  rollingRestarts(restarts),
  kills,
  redisKilled,
  redisFrozen,
  redisFull,
  redisReplaced,
  redisFailedOver,
  redisClusterBroken,
  postgresKilled,
  postgresFrozen,
  postgresPromoted,
  postgresPromotedWithLoss,
  connectionsExhausted,
  listenCut,
  behindPgbouncer,
  wrongClocks,
  diskFull,
]
