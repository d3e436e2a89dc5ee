// Wires everything together, the only file that does so: listener, database, catalogue, index, routes.
// Shuts everything down again in the opposite order.
import { setTimeout as delay } from 'node:timers/promises'
import { hashMailbox } from './access/accounts/deleted-counts.ts'
import { makeSetupToken } from './access/accounts/setup-link.ts'
import { createOperatorBilling } from './access/billing/operator-billing.ts'
import { OperatorDecisions } from './access/billing/operator-decisions.ts'
import { createDemoAccount, provideDemoKey } from './access/keys/demo-key.ts'
import { KeyCache } from './access/keys/key-cache.ts'
import { noteKeyUses } from './access/keys/key-uses.ts'
import { BurstGuard } from './access/plans/burst-guard.ts'
import { dailyLimit, planNames, plans } from './access/plans/plans.ts'
import { Quota } from './access/plans/quota.ts'
import { removeOldUsage } from './access/request-log/remove-old-usage.ts'
import { RequestLog } from './access/request-log/request-log.ts'
import { removeExpired } from './access/sign-in/remove-expired.ts'
import { provideSecret } from './access/sign-in/session-secret.ts'
import { type PasswordCost, Sessions } from './access/sign-in/sessions.ts'
import { CacheBudget, megabyte } from './cache-budget.ts'
import { removeOldJournals } from './catalogue/runs/remove-old-journals.ts'
import { loadSample, readSample } from './catalogue/sample.ts'
import { getHead, recordChanges } from './changes/log.ts'
import { removeOldChanges } from './changes/remove-old-changes.ts'
import { atMost, type Clock, systemClock } from './clock.ts'
import type { Config } from './config.ts'
import { type ProblemCode, problems } from './errors.ts'
import { type FeedParts, runDueFeeds } from './feeds/run-due-feeds.ts'
import { buildApp } from './http/app.ts'
import { type Listener, openListener } from './http/connection/listener.ts'
import { readAssets } from './http/pages/assets.ts'
import { metricsHandler } from './http/routes/metrics.ts'
import type { Log } from './log.ts'
import { openMail } from './mail/open-mail.ts'
import { type ConnectionCut, createMetrics, type Metrics } from './metrics.ts'
import { addressRules } from './outbound/address-rules.ts'
import { openResolver, type Resolve } from './outbound/resolve-host.ts'
import { sandboxOnDemand } from './sandbox/open-sandbox.ts'
import { createSealer } from './seal.ts'
import { FairTurns } from './search/index/fair-turns.ts'
import { type LiveIndex, openLiveIndex } from './search/live/live-index.ts'
import { prepareFirstUse } from './search/resolve/prepare-first-use.ts'
import { pageOf } from './search/sets/watch-set.ts'
import { lookupsOf } from './search/text/lookups.ts'
import { startSending } from './sending/start-sending.ts'
import { readVocabulary } from './specs/read-vocabulary.ts'
import { referenceShapes } from './specs/reference-shapes.ts'
import { openAttempts } from './storage/attempts/open-attempts.ts'
import { openCounter } from './storage/counter/open-counter.ts'
import type { Database } from './storage/database.ts'
import { followDatabaseClock } from './storage/database-clock.ts'
import { type Job, JobRunner } from './storage/jobs.ts'
import { migrate } from './storage/migrate.ts'
import { openDatabase } from './storage/open-database.ts'
import { countRows } from './storage/tables.ts'
import { version } from './version.ts'
import { findLastRead } from './webhooks/fan-out/find-last-read.ts'

export interface RunningServer {
  /** The public URL of the service, without a trailing slash. */
  readonly baseUrl: string
  readonly metricsUrl: string | undefined
  readonly demoKey: string | undefined
  /** The page where the first operator creates an account; undefined if there is an operator. */
  readonly setupUrl: string | undefined
  readonly watches: number
  readonly brands: number
  /** Reports not ready at once, serves for a moment more, then stops and flushes everything. */
  close(): Promise<void>
}

/** Longer than a load balancer with default settings takes to notice. A single process has no other to hand over to. */
const drainMs = { sqlite: 1_000, postgres: 7_000 }
/** A database that does not respond must not keep the process from ending. */
const lastWriteMaxMs = 2_000
/** How long running requests may take once no new ones are accepted. */
const closeMaxMs = 10_000
const hourMs = 3_600_000
const feedsMs = 30_000

interface StartOptions {
  /** Resolves host names in place of the name servers. */
  readonly resolve?: Resolve
  /** Whether what is slow at its first use, such as sign-in, is prepared before the service is ready. */
  readonly preparesFirstUse?: boolean
  /** The cost of hashing a password, if it is not the recommended one. */
  readonly passwordCost?: PasswordCost
}

export async function startServer(
  config: Config,
  log: Log,
  ownClock: Clock = systemClock,
  { resolve = openResolver(), preparesFirstUse = false, passwordCost }: StartOptions = {},
): Promise<RunningServer> {
  // Ends what has been started, in the opposite order, if the start fails.
  await using started = new AsyncDisposableStack()
  let isReady = false
  const draining = new AbortController()
  const startedAt = ownClock.now().toISOString()
  const metrics = createMetrics()
  const onRefused = (code: ProblemCode, requestId: string) => {
    const { status } = problems[code]
    metrics.requests.series({ method: 'unknown', route: 'unknown', status }).observe(0)
    log.debug({ requestId, status }, 'request refused before it was read')
  }
  // Before the database: if the pages are not built, or the port is in use, nothing must be left behind.
  const assets = readAssets()
  const onCut = (reason: ConnectionCut) => metrics.connectionsCut.labels(reason).inc()
  const listener = await openListener(config, {
    port: config.port,
    portSetting: 'PORT',
    clock: ownClock,
    onRefused,
    onCut,
    onError: (error) => log.error({ err: error }, 'a check of the connections failed'),
  })
  const { sockets, owed } = listener.connections
  metrics.watchConnections({ count: () => sockets.size, owedBytes: () => owed.total })
  started.defer(() => listener.close(closeMaxMs))
  const metricsListener = await openMetricsListener(config, metrics)
  if (metricsListener !== undefined) started.defer(() => metricsListener.close(closeMaxMs))

  const database = await openDatabase(config, log)
  started.defer(() => database.close())
  const clock = await followDatabaseClock(database, ownClock, log)
  started.defer(() => clock.stop())
  metrics.watchClock(clock)
  await prepareDatabase(database, config, clock, log)
  const demoKey = config.sampleCatalogue ? await provideDemoKey(database, clock, config.dataDir) : undefined
  const baseUrl = config.baseUrl ?? listener.url
  const mail = openMail(config, clock, log)
  const secret = await provideSecret(database, config)
  const { open: attempts, close: closeAttempts } = openAttempts(database, secret, log)
  started.defer(() => atMost(lastWriteMaxMs, closeAttempts()))
  const sessions = new Sessions({ database, config, clock, log, mail, attempts, baseUrl, passwordCost })
  started.defer(() => sessions.close())
  // Meanwhile, because a large index is built in another thread.
  const signIn = preparesFirstUse ? sessions.prepare() : Promise.resolve()
  signIn.catch(() => {})
  const vocabulary = await readVocabulary(config)
  // Now, because a wrong line in a table must fail the start and not the first search, which would also wait for it.
  lookupsOf(vocabulary)
  referenceShapes()
  const budget = new CacheBudget(config.cacheMb * megabyte)
  metrics.watchCaches(budget)
  const turns = new FairTurns()
  metrics.watchTurns(turns)
  const index = await openLiveIndex({ database, config, vocabulary, metrics, log, budget, turns })
  started.defer(() => index.stop())
  metrics.watchLag(() => index.lagMs)
  const counter = await openCounter({
    config,
    database,
    log,
    onMoved: (place) => metrics.noteCountingPlace(place),
  })
  started.defer(() => counter.close().catch((error) => log.error({ err: error }, 'the last counts are lost')))
  const callers = new KeyCache(database, clock, counter)
  const keyUses = noteKeyUses(database, callers, log)
  started.defer(() => atMost(lastWriteMaxMs, keyUses.stop()))
  const requests = new RequestLog(database, clock, log)
  started.defer(() => requests.stop())

  const sandbox = sandboxOnDemand({ config, vocabulary, log, turns })
  started.defer(() => sandbox.close())
  const decisions = new OperatorDecisions({ database, clock, callers, mail, log, baseUrl })
  started.defer(() => decisions.close())
  const app = await buildApp(
    {
      config,
      assets,
      log,
      clock,
      metrics,
      database,
      callers,
      requests,
      sessions,
      attempts,
      billing: createOperatorBilling(database, clock),
      decisions,
      quota: new Quota(counter, clock, config.planLimits),
      mailboxOf: (email) => hashMailbox(secret, email),
      guard: new BurstGuard(config.burstLimit, clock),
      turns,
      budget,
      index: () => index.current,
      webhooks: {
        rules: addressRules(config, resolve),
        sealer: createSealer(secret),
        vocabulary,
      },
      vocabulary,
      openSandbox: sandbox.open,
      onAdvance: index.onAdvance,
      draining: draining.signal,
      baseUrl,
      isReady: () => isReady,
      lagMs: () => index.lagMs,
      clockOffsetMs: () => clock.offsetMs,
      instance: async () => ({
        ...(await describe(database, index, config)),
        version,
        baseUrl,
        startedAt,
        now: clock.now().toISOString(),
        ready: isReady,
      }),
    },
    listener,
  )
  started.defer(() => app.close())
  index.beforeNext(app.prepare)
  const sending = await startSending({ config, database, clock, metrics, log, resolve })
  started.defer(() => sending.stop())
  const jobs = new JobRunner({ database, clock, log }, serviceJobs({ database, clock, log, mail }, config))
  jobs.start()
  started.defer(() => jobs.stop())
  if (preparesFirstUse) prepareFirstUse(index.current)
  await signIn
  isReady = true
  await listener.serve(app.handle, app.findAllowance)

  const setupToken = await makeSetupToken(database)
  const brands = await countRows(database.reader, 'brands')
  const running = started.move()
  return {
    baseUrl,
    setupUrl: setupToken === undefined ? undefined : `${baseUrl}/setup?token=${setupToken}`,
    metricsUrl: metricsUrlOf(config, baseUrl, metricsListener),
    demoKey,
    watches: index.current.size,
    brands,
    async close() {
      isReady = false
      draining.abort()
      await delay(config.drainMs ?? drainMs[database.engine])
      // The listeners close first, while running requests still have all they need; the rest in reverse order.
      await Promise.all([listener.close(closeMaxMs), metricsListener?.close(closeMaxMs)])
      await running.disposeAsync()
    },
  }
}

async function prepareDatabase(database: Database, config: Config, clock: Clock, log: Log): Promise<void> {
  for (const { label } of await migrate(database, clock)) log.info({ migration: label }, 'migrated')
  if (!config.sampleCatalogue || (await getHead(database.reader)).sequence > 0) return
  const sample = await readSample()
  await recordChanges(database, clock, async (tx, record) => {
    await database.lock(tx, 'catalogue')
    // Checked again under the lock: several processes may start on one empty database.
    if ((await getHead(tx)).sequence > 0) return
    await loadSample(tx, clock, record, sample)
    await createDemoAccount(tx, clock)
    log.info({ watches: sample.watches.length }, 'loaded the sample catalogue')
  })
}

/** The periodic work on the shared database, besides that of webhooks. */
function serviceJobs({ database, clock, log, mail }: FeedParts, config: Config): Job[] {
  const { changeRetentionDays: daysKept, importUndoDays } = config
  return [
    {
      name: 'remove expired sessions',
      everyMs: hourMs,
      run: (signal) => removeExpired(database, clock, signal),
    },
    {
      name: 'remove old usage',
      everyMs: 24 * hourMs,
      run: (signal) => removeOldUsage(database, clock, signal),
    },
    {
      name: 'remove old changes',
      everyMs: 24 * hourMs,
      run: async (signal) =>
        void (await removeOldChanges({ database, clock, daysKept, findLastRead }, signal)),
    },
    {
      name: 'remove old journals',
      everyMs: 24 * hourMs,
      run: (signal) => removeOldJournals(database, clock, importUndoDays, signal),
    },
    {
      name: 'import feeds',
      everyMs: feedsMs,
      run: (signal) => runDueFeeds({ database, clock, log, mail }, signal),
    },
  ]
}

async function openMetricsListener(config: Config, metrics: Metrics): Promise<Listener | undefined> {
  if (config.metricsPort === undefined) return undefined
  const listener = await openListener(config, { port: config.metricsPort, portSetting: 'METRICS_PORT' })
  await listener.serve(metricsHandler(metrics, config))
  return listener
}

function metricsUrlOf(config: Config, baseUrl: string, own: Listener | undefined): string | undefined {
  if (own !== undefined) return `${own.url}/metrics`
  return config.metricsToken === undefined ? undefined : `${baseUrl}/metrics`
}

/** What the pages show about the service and its catalogue at present. */
async function describe(database: Database, { current }: LiveIndex, { planLimits }: Config) {
  const [first] = pageOf(current.postings.slots, current.postings.all, 0, 1)
  return {
    engine: database.engine,
    watches: current.size,
    brands: await countRows(database.reader, 'brands'),
    sequence: current.head.sequence,
    lastChangeAt: current.lastChangeAt,
    plans: planNames.map((plan) => ({ ...plans[plan], requestsPerDay: dailyLimit(plan, planLimits) })),
    example:
      first === undefined ? '' : JSON.stringify(JSON.parse(current.rows.get(first).toString()), null, 2),
  }
}
