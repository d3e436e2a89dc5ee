// The table of settings: name, environment variable, type, default, help.
// The command, the docs page and the start-up check all read this table and nothing else.
import path from 'node:path'
import { availableMemoryBytes, cacheMbFor } from './cache-budget.ts'
import { Failure } from './errors.ts'
import {
  addresses,
  choice,
  filePath,
  flag,
  hostsUrl,
  integer,
  type Kind,
  limitsByName,
  moment,
  orAuto,
  publicAddress,
  secret,
  text,
  url,
} from './setting-kinds.ts'

export const packageRoot = path.resolve(import.meta.dirname, '..')

export interface Setting<T = unknown> {
  readonly env: string
  readonly kind: Kind<T>
  /** The default as the operator would write it; a setting without one is optional. */
  readonly default?: string
  /** The value used if nothing is set, where it differs from the default as written. */
  readonly fallback?: () => string
  readonly help: string
}

export const settings = {
  host: {
    env: 'HOST',
    kind: text('address'),
    default: '127.0.0.1',
    help: 'Address to listen on. `0.0.0.0` or `::` for every interface.',
  },
  port: {
    env: 'PORT',
    kind: integer(0, 65_535),
    default: '8080',
    help: 'Port to listen on. `0` takes a free one.',
  },
  baseUrl: {
    env: 'BASE_URL',
    kind: publicAddress(),
    help: 'Public URL of the service, without `/api/v1`. By default `http://HOST:PORT`. Forms are accepted only from pages under it.',
  },
  dataDir: {
    env: 'DATA_DIR',
    kind: filePath('path'),
    default: './data',
    // Beside package.json, so that the command finds the directory wherever it is run.
    fallback: () => path.join(packageRoot, 'data'),
    help: 'Directory for the SQLite database and local files. The default is in the package; a relative path that you set starts at the current directory.',
  },
  databaseUrl: {
    env: 'DATABASE_URL',
    kind: hostsUrl('postgres', 'postgresql'),
    help: 'PostgreSQL to use instead of the SQLite file in `DATA_DIR`. Several hosts, as in `postgres://host1,host2/db`: the one that accepts writes is used, also after a failover.',
  },
  databaseListenUrl: {
    env: 'DATABASE_LISTEN_URL',
    kind: hostsUrl('postgres', 'postgresql'),
    help: 'The same database without a connection pooler in between, if `DATABASE_URL` goes through one in transaction mode, such as PgBouncer: to listen for changes, and for the locks of imports.',
  },
  databasePoolSize: {
    env: 'DATABASE_POOL_SIZE',
    kind: integer(1, 1_000),
    default: '10',
    help: 'Maximum PostgreSQL connections this process opens for reading, and the same number again for writing. In addition, it opens up to four connections to count requests, one to listen for changes, and up to eleven to send webhooks if there are any.',
  },
  redisUrl: {
    env: 'REDIS_URL',
    kind: hostsUrl('redis', 'rediss', 'redis+sentinel', 'rediss+sentinel', 'redis+cluster', 'rediss+cluster'),
    help: 'Redis or Valkey, in which several processes count requests together: `redis://host:6379`, `redis+sentinel://host1:26379,host2:26379/mymaster` or `redis+cluster://host1:6379,host2:6379`. Without it, requests are counted in PostgreSQL or, with SQLite, in the memory of the one process that serves.',
  },
  planLimits: {
    env: 'PLAN_LIMITS',
    kind: limitsByName('free', 'pro', 'platinum'),
    default: '',
    help: 'Requests per day for plans that should differ from the table of plans: `free=100,platinum=1000000`.',
  },
  burstLimit: {
    env: 'BURST_LIMIT',
    kind: integer(0, 1_000_000),
    default: '2000',
    help: 'Requests per second that one account may send to this process, so that no account slows down the others. `0` disables the limit.',
  },
  signUp: {
    env: 'SIGN_UP',
    kind: flag(),
    default: 'true',
    help: 'Whether anyone may sign up for an account on the Free plan. Otherwise the operator creates accounts: `watchdata account create`.',
  },
  explorer: {
    env: 'EXPLORER',
    kind: choice('limited', 'open', 'off'),
    default: 'limited',
    help: 'How much of the catalogue the web pages under `/explore` show. `limited`: without an account 20 pages of a list and 200 views a day per address; with one, every page and 200 views a day (500 on Pro and Platinum). `open`: without these bounds. `off`: there is no explorer. A page never has more than 24 rows.',
  },
  sessionSecret: {
    env: 'SESSION_SECRET',
    kind: secret(32),
    help: 'Signs the cookies of signed-in users, and encrypts their second factors, the secrets of webhooks and the addresses of feeds. Without it, a secret is generated and stored in the database; set it to keep the secret out of backups. Must be the same for all processes.',
  },
  smtpUrl: {
    env: 'SMTP_URL',
    kind: url('smtp', 'smtps'),
    help: 'Mail server: `smtps://user:password@host`. Without it, emails are written to `outbox` in `DATA_DIR` and mentioned in the log.',
  },
  mailFrom: {
    env: 'MAIL_FROM',
    kind: text('address'),
    default: 'watchdata@localhost',
    help: 'Sender of the emails to account holders.',
  },
  webhookSending: {
    env: 'WEBHOOK_SENDING',
    kind: flag(),
    default: 'true',
    help: 'Whether this process sends webhooks. Set `false` for a restored copy that runs beside the original, or if other processes send them.',
  },
  webhookAllowCidr: {
    env: 'WEBHOOK_ALLOW_CIDR',
    kind: addresses(),
    default: '',
    help: 'IP addresses or CIDR ranges to which webhooks may be sent in addition to public addresses, on any port, separated by commas: `10.0.0.0/8`, or `127.0.0.0/8,::1` for `localhost`, which needs both.',
  },
  webhookAllowHttp: {
    env: 'WEBHOOK_ALLOW_HTTP',
    kind: flag(),
    default: 'false',
    help: 'Whether webhook URLs may use plain `http`.',
  },
  changeRetentionDays: {
    env: 'CHANGE_RETENTION_DAYS',
    kind: integer(0, 36_500),
    default: '90',
    help: 'How many days the change log goes back. Older changes are deleted once a day, except those that webhooks have not read yet. `0` keeps all.',
  },
  importUndoDays: {
    env: 'IMPORT_UNDO_DAYS',
    kind: integer(0, 36_500),
    default: '30',
    help: 'For how many days an import can be undone. Then what it changed is deleted, and its rejected rows; its entry in the log of imports stays. `0` keeps all.',
  },
  importMaxMb: {
    env: 'IMPORT_MAX_MB',
    kind: integer(1, 1_000_000),
    default: '2000',
    help: 'The largest file, in MB, that is imported from an address.',
  },
  sampleCatalogue: {
    env: 'SAMPLE_CATALOGUE',
    kind: flag(),
    default: 'true',
    help: 'Load the sample catalogue and a demo key into an empty database.',
  },
  synonymsFile: {
    env: 'SYNONYMS_FILE',
    kind: filePath('file'),
    default: './catalogue/synonyms.txt',
    fallback: () => path.join(packageRoot, 'catalogue/synonyms.txt'),
    help: 'Table of spellings that mean the same, read at start. To change it, copy the default file from the package and edit the copy.',
  },
  nicknamesFile: {
    env: 'NICKNAMES_FILE',
    kind: filePath('file'),
    default: './catalogue/nicknames.txt',
    fallback: () => path.join(packageRoot, 'catalogue/nicknames.txt'),
    help: 'Table of nicknames of watches, short names of brands, and everyday words that stand for a filter, read at start. To change it, copy the default file from the package and edit the copy.',
  },
  currencyRates: {
    env: 'CURRENCY_RATES',
    kind: filePath('file'),
    help: 'File of exchange rates for imports, as CSV or JSON: rows of `date`, `currency` and `rate`, in US dollars for one unit, or the table of the European Central Bank (`eurofxref-hist.csv`). An imported watch uses the newest rate, a price of a past day that of its day or the last one before. `--rate` comes first.',
  },
  logLevel: {
    env: 'LOG_LEVEL',
    kind: choice('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    help: 'Lowest level that is logged. `debug` adds a line for every request.',
  },
  logFormat: {
    env: 'LOG_FORMAT',
    kind: choice('auto', 'json', 'pretty'),
    default: 'auto',
    help: '`auto` is pretty on a terminal and JSON elsewhere.',
  },
  metricsToken: {
    env: 'METRICS_TOKEN',
    kind: secret(16),
    help: 'Bearer token for `/metrics`. Without it and without `METRICS_PORT`, metrics are not served.',
  },
  metricsPort: {
    env: 'METRICS_PORT',
    kind: integer(0, 65_535),
    help: 'Serve `/metrics` on this port of `HOST` instead of the main one. `0` takes a free one.',
  },
  trustProxy: {
    env: 'TRUST_PROXY',
    kind: addresses(),
    help: 'Addresses or CIDR ranges of proxies whose `X-Forwarded-*` headers are trusted, separated by commas.',
  },
  cacheMb: {
    env: 'CACHE_MB',
    kind: orAuto(integer(1, 65_536), () => cacheMbFor(availableMemoryBytes())),
    default: 'auto',
    help: 'Megabytes for all caches of this process together: recent responses, compressed and plain, and recent results of filters, ranges and counts. `auto` is 1/192 of the memory, at least 32 and at most 512. `/metrics` shows how much is in use.',
  },
  maxConnections: {
    env: 'MAX_CONNECTIONS',
    kind: integer(1, 1_000_000),
    default: '10000',
    help: 'Maximum concurrent connections. Beyond, a new one closes one that is idle, of the address that has most, or is refused if none is.',
  },
  connectionsPerAddress: {
    env: 'CONNECTIONS_PER_ADDRESS',
    kind: orAuto<number | undefined>(integer(1, 1_000_000), () => undefined),
    default: 'auto',
    help: 'Maximum concurrent connections of one client address (IPv6: of one /56 network); further ones are refused. The proxies of `TRUST_PROXY` are exempt. `auto` is a twentieth of `MAX_CONNECTIONS`, at least 10.',
  },
  sendMb: {
    env: 'SEND_MB',
    kind: integer(1, 65_536),
    default: '64',
    help: 'Megabytes of responses that clients have not read yet, for all connections together. Beyond, connections of the address with most of them are cut.',
  },
  requestTimeoutMs: {
    env: 'REQUEST_TIMEOUT_MS',
    kind: integer(1_000, 600_000),
    default: '10000',
    help: 'Time within which the whole request must arrive, headers and body.',
  },
  keepAliveTimeoutMs: {
    env: 'KEEP_ALIVE_TIMEOUT_MS',
    kind: integer(1_000, 600_000),
    default: '65000',
    help: 'Time an idle connection is kept open. Set it longer than the idle timeout of the load balancer in front.',
  },
  readyLagMs: {
    env: 'READY_LAG_MS',
    kind: integer(1_000, 86_400_000),
    default: '120000',
    help: '`/readyz` returns 503 while a change of the catalogue that this process does not serve yet has been known for longer than this. While the database cannot be read, that time does not count.',
  },
  drainMs: {
    env: 'DRAIN_MS',
    kind: orAuto<number | undefined>(integer(0, 10_000), () => undefined),
    default: 'auto',
    help: 'On shutdown, how long new requests are still accepted after `/readyz` starts to return 503. Must be longer than the load balancer takes to notice: interval times failed checks. `auto` is 7000 with PostgreSQL, which fits the defaults of HAProxy (3 checks, 2 seconds apart), and 1000 with SQLite.',
  },
  v1DeprecatedAt: {
    env: 'V1_DEPRECATED_AT',
    kind: moment(),
    help: 'Day on which `/api/v1` becomes deprecated; it may be in the past. If set, every response says so in the `Deprecation` header, with a link to the policy.',
  },
  v1SunsetAt: {
    env: 'V1_SUNSET_AT',
    kind: moment(),
    help: 'Day on which `/api/v1` will be switched off, sent in the `Sunset` header. At least 12 months after `V1_DEPRECATED_AT`.',
  },
} as const satisfies Record<string, Setting>

type Settings = typeof settings
type SettingName = keyof Settings
type Value<S> = S extends { kind: Kind<infer T> }
  ? S extends { default: string }
    ? T
    : T | undefined
  : never

export type Config = { readonly [K in SettingName]: Value<Settings[K]> }
export type Environment = Readonly<Record<string, string | undefined>>

/** The minimum notice that callers of v1 get before it is switched off. */
const noticeMonths = 12

/** Reads every setting; all bad values are reported together, before anything starts. */
export function parseConfig(env: Environment): Config {
  const faults: string[] = []
  const entries = Object.entries(settings).map(([name, setting]: [string, Setting]) => {
    try {
      const written = env[setting.env] || setting.fallback?.() || setting.default
      return [name, written === undefined ? undefined : setting.kind.parse(written)]
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      faults.push(`${setting.env} ${error.message}`)
      return [name, undefined]
    }
  })
  const config: Config = Object.fromEntries(entries)
  if (faults.length === 0) faults.push(...disagreements(config))
  if (faults.length > 0) throw new Failure(`Bad settings: ${faults.join('; ')}.`)
  return config
}

/** What is wrong with the combination of settings that are each valid on their own. */
function disagreements({ v1DeprecatedAt: since, v1SunsetAt: sunset }: Config): string[] {
  if (sunset === undefined) return []
  if (since === undefined)
    return ['V1_SUNSET_AT needs V1_DEPRECATED_AT, the day of the announcement: set both']
  if (sunset >= monthsAfter(since, noticeMonths)) return []
  return [
    `V1_SUNSET_AT must be at least ${noticeMonths} months after V1_DEPRECATED_AT: the docs promise as much`,
  ]
}

function monthsAfter(moment: Date, months: number): Date {
  const later = new Date(moment)
  later.setUTCMonth(later.getUTCMonth() + months)
  return later
}

/** One row per setting, as the command prints it and the docs page lists it. */
export function settingRows() {
  return Object.values(settings).map(({ env, kind, default: written = '', help }: Setting) => {
    return { env, type: kind.label, default: written, help }
  })
}
