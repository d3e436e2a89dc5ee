// `watchdata doctor`: checks everything the service depends on, and gives advice for each problem. It changes nothing.
// The exit code is 1 if a check failed.
import { existsSync } from 'node:fs'
import { mkdtemp, rmdir, statfs } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { getHead, readAfter } from '../changes/log.ts'
import { systemClock } from '../clock.ts'
import { type Config, parseConfig } from '../config.ts'
import { Failure } from '../errors.ts'
import { readAssets } from '../http/pages/assets.ts'
import { openLog } from '../log.ts'
import { inspectRedis } from '../storage/counter/redis.ts'
import type { Database } from '../storage/database.ts'
import { pendingMigrations } from '../storage/migrate.ts'
import { openDatabase } from '../storage/open-database.ts'
import { hasDatabase } from './database-command.ts'
import { type CommonOptions, failedCode, print, printJson } from './output.ts'

interface Finding {
  readonly check: string
  readonly state: 'ok' | 'warning' | 'failed'
  readonly detail: string
  /** What to do; undefined if the check passed. */
  readonly advice?: string
}

const nodeMajorMin = 26
const diskFreeMinBytes = 1024 ** 3
const clockSkewMaxMs = 2_000
const builtAfter = '2026-11-01'

export async function doctorCommand({ json }: CommonOptions): Promise<void> {
  const findings = await examine()
  if (json) printJson(findings)
  else {
    const mark = { ok: '✓', warning: '!', failed: '✗' }
    for (const { check, state, detail, advice } of findings) {
      print(`${mark[state]} ${check.padEnd(9)} ${detail}${advice === undefined ? '' : `\n  → ${advice}`}`)
    }
  }
  if (findings.some(({ state }) => state === 'failed')) process.exitCode = failedCode
}

async function examine(): Promise<Finding[]> {
  const findings = [checkRuntime(), checkPages()]
  let config: Config
  try {
    config = parseConfig(process.env)
  } catch (error) {
    return [
      ...findings,
      failed('settings', error, 'Correct them; `watchdata settings` lists what each takes.'),
    ]
  }
  findings.push({ check: 'settings', state: 'ok', detail: 'all valid' })
  return [...findings, await checkDisk(config), ...(await checkDatabase(config)), await checkRedis(config)]
}

function checkRuntime(): Finding {
  const detail = `Node ${process.versions.node}, SQLite ${process.versions.sqlite}, ${process.platform} ${process.arch}`
  if (Number(process.versions.node.split('.')[0]) >= nodeMajorMin)
    return { check: 'runtime', state: 'ok', detail }
  const advice = `Node ${nodeMajorMin} or newer is needed: run npm ci, which brings one along.`
  return { check: 'runtime', state: 'failed', detail, advice }
}

function checkPages(): Finding {
  try {
    readAssets()
    return { check: 'pages', state: 'ok', detail: 'built' }
  } catch (error) {
    return failed('pages', error, 'Run npm run build; `npm start` and `watchdata serve` do it by themselves.')
  }
}

async function checkDisk({ dataDir }: Config): Promise<Finding> {
  const existing = nearestExisting(dataDir)
  try {
    // Creates a real directory: permissions alone do not show quotas and read-only file systems.
    const probe = await mkdtemp(path.join(existing, '.watchdata-doctor-'))
    await rmdir(probe)
    const { bavail, bsize } = await statfs(existing)
    const free = bavail * bsize
    const detail = `${dataDir}: ${(free / 1024 ** 3).toFixed(1)} GiB free`
    if (free >= diskFreeMinBytes) return { check: 'disk', state: 'ok', detail }
    return {
      check: 'disk',
      state: 'warning',
      detail,
      advice: 'Free some space: a full disk refuses every write.',
    }
  } catch (error) {
    return failed('disk', error, `Set DATA_DIR to a directory that can be written (now ${dataDir}).`)
  }
}

/** The directory itself, or its nearest existing parent. */
function nearestExisting(dir: string): string {
  return existsSync(dir) || dir === path.dirname(dir) ? dir : nearestExisting(path.dirname(dir))
}

async function checkDatabase(config: Config): Promise<Finding[]> {
  if (!hasDatabase(config)) {
    return [
      { check: 'database', state: 'ok', detail: 'none yet: `watchdata serve` creates it' },
      clockFinding(),
    ]
  }
  let database: Database | undefined
  try {
    database = await openDatabase(config, openLog({ ...config, logLevel: 'silent' }))
    const pending = await pendingMigrations(database)
    if (pending.length > 0) {
      const detail = `${pending.length} migrations are pending`
      const advice = 'Run `watchdata migrate`, or start the service, which does it.'
      return [{ check: 'database', state: 'warning', detail, advice }, clockFinding()]
    }
    return [await checkState(database), await checkClock(database)]
  } catch (error) {
    const advice = 'Check DATABASE_URL or DATA_DIR, and that the database server runs.'
    return [failed('database', error, advice), clockFinding()]
  } finally {
    await database?.close()
  }
}

async function checkState(database: Database): Promise<Finding> {
  const { sequence } = await getHead(database.reader)
  const check = 'database'
  const detail = `${database.engine}, ${sequence} changes, schema up to date`
  if (database.engine === 'postgres') {
    const setting = await sql<{ synchronous_commit: string }>`show synchronous_commit`.execute(
      database.reader,
    )
    if (setting.rows[0]?.synchronous_commit !== 'off') return { check, state: 'ok', detail }
    const advice = 'synchronous_commit is off, so acknowledged writes can be lost in a crash: set it to on.'
    return { check, state: 'warning', detail, advice }
  }
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check`.execute(database.reader)
  if (rows[0]?.quick_check === 'ok') return { check, state: 'ok', detail: `${detail}, file intact` }
  const advice = 'The file is damaged: stop the service and restore a backup into a new DATA_DIR.'
  return { check, state: 'failed', detail: rows[0]?.quick_check ?? 'quick_check failed', advice }
}

/** This clock gives changes their time: it must agree with the database's clock and not be behind the change log. */
async function checkClock({ engine, reader }: Database): Promise<Finding> {
  const { sequence } = await getHead(reader)
  const [last] = await readAfter(reader, sequence - 1, 1)
  const behindMs = last === undefined ? 0 : Date.parse(last.at) - systemClock.now().getTime()
  if (behindMs > clockSkewMaxMs) return clockFinding(`${behindMs} ms behind the last change`)
  if (engine === 'postgres') {
    const query = sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`
    const { rows } = await query.execute(reader)
    const skewMs = Math.round((rows[0]?.ms ?? 0) - systemClock.now().getTime())
    if (Math.abs(skewMs) > clockSkewMaxMs) return clockFinding(`${skewMs} ms off the database's clock`)
  }
  return clockFinding()
}

/** Without a fault, the time is still compared with the date of this version: the clock may be wrong by years. */
function clockFinding(fault?: string): Finding {
  const now = systemClock.now().toISOString()
  const advice = 'Set the clock by NTP: changes are dated by it.'
  if (fault !== undefined) return { check: 'clock', state: 'failed', detail: `${now} is ${fault}`, advice }
  if (now < builtAfter)
    return { check: 'clock', state: 'failed', detail: `${now} is before this version`, advice }
  return { check: 'clock', state: 'ok', detail: now }
}

async function checkRedis({ redisUrl }: Config): Promise<Finding> {
  if (redisUrl === undefined)
    return { check: 'redis', state: 'ok', detail: 'not used (REDIS_URL is not set)' }
  try {
    const { version, evictionPolicy } = await inspectRedis(redisUrl)
    const detail = `version ${version}, eviction ${evictionPolicy}`
    if (evictionPolicy === 'noeviction') return { check: 'redis', state: 'ok', detail }
    const advice = 'Set maxmemory-policy to noeviction: an evicted counter loses its count.'
    return { check: 'redis', state: 'warning', detail, advice }
  } catch (error) {
    return failed('redis', error, 'Check REDIS_URL and that the Redis server runs.')
  }
}

function failed(check: string, error: unknown, advice: string): Finding {
  const { message, code } = error as NodeJS.ErrnoException
  const detail = error instanceof Failure ? message : (code ?? message)
  return { check, state: 'failed', detail, advice }
}
