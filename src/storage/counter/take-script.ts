// The script that counts in Redis, atomically and on one key, and its arguments. The value of a key is the generation in
// which it was counted and the number used: `7:42`.
import type { Question } from './daily-counts.ts'

/**
 * Takes up to ARGV[1] of what the limit ARGV[2] allows. ARGV[3] is the number the caller knows to be used, and ARGV[4]
 * is 1 if that includes the database's total. If not, a count that is missing or of an earlier generation cannot be
 * continued: the script returns -1. A count of a later generation means that the caller is outdated: -2. ARGV[5] is the
 * lifetime of the count in ms, ARGV[6] the generation.
 */
export const takeScript = `
local stored, used = string.match(redis.call('GET', KEYS[1]) or '', '^(%d+):(%d+)$')
local generation = tonumber(ARGV[6])
if stored and tonumber(stored) > generation then return {-2, 0} end
if ARGV[4] == '0' and (not stored or tonumber(stored) < generation) then return {-1, 0} end
used = math.max(tonumber(used or '0'), tonumber(ARGV[3]))
local granted = math.max(0, math.min(tonumber(ARGV[1]), tonumber(ARGV[2]) - used))
redis.call('SET', KEYS[1], string.format('%.0f:%.0f', generation, used + granted), 'PX', ARGV[5])
return {used, granted}`

/** What the caller knows of the count. */
interface Known {
  readonly seen: number
  readonly isSeeded: boolean
  readonly generation: number
}

/** Lifetime of a count in Redis: it is useless once its day has ended. */
const keptMs = `${2 * 24 * 3_600_000}`
const probeKeptMs = '1000'

export function takeArguments({ count, limit }: Question, { seen, isSeeded, generation }: Known): string[] {
  return [`${count}`, `${limit}`, `${seen}`, isSeeded ? '1' : '0', keptMs, `${generation}`]
}

/** Writes to a key, but counts nothing: shows whether Redis can count. */
export const probeArguments: readonly string[] = ['0', '0', '0', '1', probeKeptMs, '0']

/** The braces are the part of the key by which a Redis Cluster chooses its node. */
export function redisKey(subject: string, day: string): string {
  return `watchdata:used:{${subject}}:${day}`
}
