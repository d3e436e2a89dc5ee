// Tells which addresses of databases and of Redis the service accepts, so that the drill puts haproxy in between where
// the service knows only a single server.
import { type Environment, parseConfig, settings } from '../../../../src/config.ts'

/** The service refuses a setting that a row needs. */
export class RefusedSetting extends Error {}

/** Whether DATABASE_URL may name several servers, of which one is the primary. */
export function knowsSeveralHosts(): boolean {
  const hosts = '127.0.0.1:1,127.0.0.1:2'
  return accepts({ DATABASE_URL: `postgres://postgres@${hosts}/postgres?target_session_attrs=read-write` })
}

/** Whether REDIS_URL may name the Sentinels, or the servers of a cluster. */
export function knowsRedis(kind: 'sentinel' | 'cluster'): boolean {
  const group = kind === 'sentinel' ? '/mymaster' : ''
  return accepts({ REDIS_URL: `redis+${kind}://127.0.0.1:1,127.0.0.1:2${group}` })
}

/** Whether notifications may take another way than the rest, beside pgbouncer. */
export function knowsListenUrl(): boolean {
  return Object.values(settings).some(({ env }: { env: string }) => env === 'DATABASE_LISTEN_URL')
}

function accepts(environment: Environment): boolean {
  try {
    parseConfig(environment)
    return true
  } catch {
    return false
  }
}
