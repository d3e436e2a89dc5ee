// Builds the request path of the service: everything under /api/v1 is served by api/serve, everything else, pages and
// forms, by Fastify.
import { Readable } from 'node:stream'
import Fastify from 'fastify'
import type { Instance } from '../../web/pages/layout/instance.ts'
import type { Assets } from '../../web/pages/layout/site.ts'
import { notFoundPage } from '../../web/pages/not-found.ts'
import { addressSubject } from '../access/plans/attempt-limits.ts'
import { BurstGuard } from '../access/plans/burst-guard.ts'
import { testRequestsPerSecond } from '../access/plans/plans.ts'
import { nothingUsed, Quota } from '../access/plans/quota.ts'
import type { CacheBudget } from '../cache-budget.ts'
import { Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { FairTurns } from '../search/index/fair-turns.ts'
import type { WatchIndex } from '../search/index/watch-index.ts'
import type { Vocabulary } from '../specs/vocabulary.ts'
import { reachingMax } from './api/min-sequence.ts'
import { answerProblem } from './api/problems.ts'
import { type Api, type ServeParts, serveApi } from './api/serve.ts'
import { apiPath, isApiAddress } from './connection/api-address.ts'
import { limits } from './connection/limits.ts'
import type { Listener } from './connection/listener.ts'
import { hasBody } from './connection/request.ts'
import { requestIdOf } from './connection/request-id.ts'
import { describeOnDemand } from './contract/docs/docs-in-worker.ts'
import { measureRequests } from './measure-requests.ts'
import { openExports } from './operations/export.ts'
import { LongPolls } from './operations/long-polls.ts'
import { assetRoutes } from './pages/assets.ts'
import { routeEveryMethod, watchMethods } from './pages/methods.ts'
import { sendPage } from './pages/page.ts'
import { answerPageError, refuseBriefly } from './pages/page-errors.ts'
import { receiveOutsideApi } from './pages/page-headers.ts'
import { PageGuard } from './pages/page-rate-limit.ts'
import { type AccountParts, accountRoutes } from './routes/account/account.ts'
import { authRoutes } from './routes/auth.ts'
import { choosePasswordRoutes } from './routes/choose-password.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { docsRoutes } from './routes/docs.ts'
import { exploreRoutes } from './routes/explore/explore.ts'
import { healthRoutes } from './routes/health.ts'
import { landingRoute } from './routes/landing.ts'
import { metricsRoute } from './routes/metrics.ts'
import { openapiRoute } from './routes/openapi.ts'
import { type OperatorParts, operatorRoutes } from './routes/operator.ts'
import { pageRoutes } from './routes/pages.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'

/** The dependencies of all routes: those of the account and of the operator, and the rest. */
export interface AppParts extends AccountParts, OperatorParts {
  readonly assets: Assets
  readonly log: Log
  readonly metrics: Metrics
  readonly guard: BurstGuard
  readonly turns: FairTurns
  readonly budget: CacheBudget
  readonly index: () => WatchIndex
  readonly vocabulary: Vocabulary
  /** Opens the catalogue of test keys. */
  readonly openSandbox: () => Promise<Sandbox>
  /** Registers `hear` to be called whenever the index has advanced. */
  readonly onAdvance: (hear: () => void) => void
  readonly isReady: () => boolean
  /** How long the index has been behind the change log; undefined while the log cannot be read. */
  readonly lagMs: () => number | undefined
  readonly clockOffsetMs: () => number
  /** Aborted when the process is about to shut down: long polls then end at once. */
  readonly draining: AbortSignal
  readonly instance: () => Promise<Instance>
}

export interface App extends Api {
  close(): Promise<void>
}

/** Requests per second of one address to everything outside the API: enough for a page with all its parts. */
const pagesPerSecondMax = 100
const uncounted: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics'])

/** Builds the whole HTTP application, ready to be served by the listener. */
export async function buildApp(parts: AppParts, listener: Listener): Promise<App> {
  const { config, log, metrics, assets, sessions, baseUrl } = parts
  const pages = { assets, sessions, baseUrl, isOpen: config.signUp, explorer: config.explorer }
  const receive = receiveOutsideApi(parts)
  const anyPage = new BurstGuard(config.burstLimit === 0 ? 0 : pagesPerSecondMax, parts.clock)
  const app = Fastify({
    serverFactory: () => listener.server,
    logger: false,
    genReqId: requestIdOf,
    requestIdHeader: false,
    trustProxy: config.trustProxy ?? false,
    bodyLimit: limits.bodyBytes,
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    routerOptions: {
      maxParamLength: limits.pathParameterLength,
      // Each route parses the raw query by its own grammar.
      querystringParser: () => ({}),
    },
    // The listener handles client errors; Fastify would respond in its own format.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      receive(request, reply)
      void answerPageError(log, pages, error, request, reply)
    },
  })
  app.removeContentTypeParser('text/plain')
  app.setErrorHandler((error, request, reply) => answerPageError(log, pages, error, request, reply))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Closing keep-alive connections makes clients reconnect, to another process.
    if (!parts.isReady()) reply.header('connection', 'close')
    receive(request, reply)
    // Supervisors and load balancers ask often, and may come from one address.
    const isCounted = !uncounted.has(request.routeOptions.url ?? '')
    if (isCounted && !anyPage.admits(addressSubject(request.ip))) refuseBriefly(request, reply)
    else done()
  })
  app.addHook('preParsing', (request, _reply, body, done) => {
    done(null, hasBody(request.raw) ? body : Readable.from([]))
  })
  measureRequests(app, parts)

  const refuseOtherMethods = watchMethods(app)
  healthRoutes(app, config, () => ({
    isReady: parts.isReady(),
    sequence: parts.index().head.sequence,
    lagMs: parts.lagMs(),
    clockOffsetMs: parts.clockOffsetMs(),
  }))
  metricsRoute(app, metrics, config)
  const views = new PageGuard(config, parts.clock, parts.attempts)
  assetRoutes(app)
  landingRoute(app, { pages, views, index: parts.index, instance: parts.instance })
  pageRoutes(app, pages, parts.instance)
  const described = describeOnDemand(async () => {
    const { plans } = await parts.instance()
    const { synonyms, nicknames } = parts.vocabulary
    return { facts: { plans, synonyms: { groups: synonyms.groups }, nicknames }, baseUrl }
  })
  docsRoutes(app, pages, async () => (await described()).docs)
  openapiRoute(app, async () => (await described()).openapi)
  authRoutes(app, sessions, baseUrl)
  accountRoutes(app, parts)
  operatorRoutes(app, parts)
  choosePasswordRoutes(app, pages, parts.database.reader)
  signInRoutes(app, pages)
  signUpRoutes(app, pages)
  dashboardRoutes(app, pages)
  const { index, database, clock } = parts
  if (config.explorer !== 'off') exploreRoutes(app, { pages, index, reader: database.reader, clock }, views)
  refuseOtherMethods()
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes('text/html')) {
      return sendPage(request, reply.code(404), pages, notFoundPage)
    }
    return answerProblem(new Problem('not_found'), reply)
  })
  await app.ready()

  const pagesHandler = routeEveryMethod(app)
  const webhooks = { database, clock, webhooksUrl: `${baseUrl}${apiPath}/webhooks`, ...parts.webhooks }
  const polls = new LongPolls(parts.onAdvance, parts.draining)
  const reaching = new LongPolls(parts.onAdvance, parts.draining, reachingMax)
  const served = { ...parts, polls, reaching, exports: openExports(), webhooks }
  const api = serveApi({ ...served, sandbox: serveSandbox(served, parts) })
  return {
    handle: (request, response) =>
      isApiAddress(request.url ?? '') ? api.handle(request, response) : pagesHandler(request, response),
    findAllowance: api.findAllowance,
    prepare: api.prepare,
    close: () => app.close(),
  }
}

interface Sandbox extends Pick<ServeParts, 'database' | 'budget'> {
  readonly index: WatchIndex
}

/** Serves test keys as live ones are served, from another catalogue, uncounted and unlogged, with the first such request. */
function serveSandbox(
  served: Omit<ServeParts, 'sandbox'>,
  { clock, config, draining, openSandbox }: AppParts,
): () => Promise<Api> {
  let api: Promise<Api> | undefined
  const serve = async () => {
    const { database, budget, index } = await openSandbox()
    return serveApi({
      ...served,
      database,
      budget,
      index: () => index,
      quota: new Quota(nothingUsed, clock, config.planLimits),
      guard: new BurstGuard(testRequestsPerSecond, clock),
      requests: { note: () => {} },
      // Nothing ever changes there.
      polls: new LongPolls(() => {}, draining),
      reaching: new LongPolls(() => {}, draining, reachingMax),
      exports: openExports(),
      sandbox: undefined,
    })
  }
  return () => {
    api ??= serve()
    // A failed attempt is repeated with the next request.
    api.catch(() => {
      api = undefined
    })
    return api
  }
}
