// Says whether benchmarks can run on this machine: they pin the server and the load to a core each.
import { availableParallelism } from 'node:os'
import { findBinary } from '../programs/binaries.ts'

export const canPin =
  process.platform === 'linux' &&
  availableParallelism() > 1 &&
  findBinary({ names: ['taskset'] }) !== undefined
