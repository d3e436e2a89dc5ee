// Builds the request path of the service: the headers set on every response, the routes, and the rule that everything
// under /api/v1 is authenticated before anything else is inspected.
import Fastify, { type FastifyInstance } from 'fastify'
import type { Instance } from '../../web/pages/layout/instance.ts'
import type { Assets } from '../../web/pages/layout/site.ts'
import { notFoundPage } from '../../web/pages/not-found.ts'
import type { BurstGuard } from '../access/plans/burst-guard.ts'
import { Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { WatchIndex } from '../search/index/watch-index.ts'
import type { Synonyms } from '../specs/synonyms.ts'
import { authenticate } from './api/authenticate.ts'
import { Charges } from './api/charge.ts'
import { answerPreflight, isPreflight, setCorsHeaders } from './api/cors.ts'
import { findDeprecation, markDeprecated, withDeprecation } from './api/deprecation.ts'
import { type FastList, fastList } from './api/fast-list.ts'
import { readJsonBodies } from './api/json-body.ts'
import { measureRequests, noteCalls } from './api/log-requests.ts'
import { LongPolls } from './api/long-polls.ts'
import { routeEveryMethod, watchMethods } from './api/methods.ts'
import { answerProblem, tellProblem } from './api/problems.ts'
import { watchRules } from './api/route-rules.ts'
import type { CatalogueParts } from './api/send-response.ts'
import { limits } from './connection/limits.ts'
import type { Listener } from './connection/listener.ts'
import { requestIdOf } from './connection/request-id.ts'
import { assetRoutes } from './pages/assets.ts'
import { sendPage } from './pages/page.ts'
import { answerPageError } from './pages/page-errors.ts'
import { receiveOutsideApi } from './pages/page-headers.ts'
import { PageGuard } from './pages/page-rate-limit.ts'
import { CompressedBodies } from './responses/compress.ts'
import { allowanceOfNobody, isApiAddress, setRateLimit } from './responses/rate-limit-headers.ts'
import { type AccountParts, accountRoutes } from './routes/account/account.ts'
import { authRoutes } from './routes/auth.ts'
import { brandRoutes } from './routes/brands.ts'
import { changeRoute } from './routes/changes.ts'
import { choosePasswordRoutes } from './routes/choose-password.ts'
import { dashboardRoutes } from './routes/dashboard.ts'
import { docsRoutes } from './routes/docs.ts'
import { exploreRoutes } from './routes/explore/explore.ts'
import { exportRoute } from './routes/export.ts'
import { healthRoutes } from './routes/health.ts'
import { landingRoute } from './routes/landing.ts'
import { metricsRoute } from './routes/metrics.ts'
import { openapiRoute } from './routes/openapi.ts'
import { type OperatorParts, operatorRoutes } from './routes/operator.ts'
import { pageRoutes } from './routes/pages.ts'
import { priceRoute } from './routes/prices.ts'
import { signInRoutes } from './routes/sign-in.ts'
import { signUpRoutes } from './routes/sign-up.ts'
import { specRoutes } from './routes/specs.ts'
import { usageRoute } from './routes/usage.ts'
import { watchRoutes } from './routes/watches.ts'
import { deliveryRoutes } from './routes/webhook-deliveries.ts'
import { webhookRoutes } from './routes/webhooks.ts'

/** The dependencies of all routes: those of the account and of the operator, and the rest. */
export interface AppParts extends AccountParts, OperatorParts {
  readonly assets: Assets
  readonly log: Log
  readonly metrics: Metrics
  readonly guard: BurstGuard
  readonly index: () => WatchIndex
  readonly synonyms: Synonyms
  /** Registers `hear` to be called whenever the index has advanced. */
  readonly onAdvance: (hear: () => void) => void
  readonly isReady: () => boolean
  /** Aborted when the process is about to shut down: long polls then end at once. */
  readonly draining: AbortSignal
  readonly instance: () => Promise<Instance>
}

export interface App extends FastList {
  close(): Promise<void>
}

/** Builds the whole HTTP application, ready to be served by the listener. */
export async function buildApp(parts: AppParts, listener: Listener): Promise<App> {
  const { config, log, metrics, assets, sessions, baseUrl } = parts
  const deprecation = findDeprecation(config, baseUrl)
  const pages = { assets, sessions, baseUrl, isOpen: config.signUp }
  const receive = receiveOutsideApi(parts)
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
      if (isApiAddress(request.url)) {
        setCorsHeaders(reply)
        setRateLimit(reply, allowanceOfNobody(parts.clock))
        if (deprecation !== undefined) reply.headers(withDeprecation(deprecation, deprecation.headers))
      }
      void answerPageError(log, pages, error, request, reply)
    },
  })
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', undefined)
  app.decorateRequest('isChargeDue', false)
  app.setErrorHandler((error, request, reply) => answerPageError(log, pages, error, request, reply))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Closing keep-alive connections makes clients reconnect, to another process.
    if (!parts.isReady()) reply.header('connection', 'close')
    receive(request, reply)
    done()
  })
  measureRequests(app, parts)

  const refuseOtherMethods = watchMethods(app)
  healthRoutes(app, parts.isReady)
  metricsRoute(app, metrics, config)
  // One setting turns off both rate limits, for benchmarks and tests.
  const views = new PageGuard(config.burstLimit === 0, parts.clock)
  assetRoutes(app)
  landingRoute(app, { pages, views, index: parts.index, instance: parts.instance })
  pageRoutes(app, pages, parts.instance)
  docsRoutes(app, { ...pages, synonyms: parts.synonyms, instance: parts.instance })
  openapiRoute(app, baseUrl)
  authRoutes(app, sessions, baseUrl)
  accountRoutes(app, parts)
  operatorRoutes(app, parts)
  choosePasswordRoutes(app, pages, parts.database.reader)
  signInRoutes(app, pages)
  signUpRoutes(app, pages)
  dashboardRoutes(app, pages)
  const { index, database, clock } = parts
  exploreRoutes(app, { pages, index, reader: database.reader, clock }, views)
  refuseOtherMethods()
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes('text/html')) {
      return sendPage(request, reply.code(404), pages, notFoundPage)
    }
    return answerProblem(new Problem('not_found'), reply)
  })
  const compressed = new CompressedBodies()
  const charges = new Charges(parts.quota, parts.guard)
  const catalogue = { index: parts.index, baseUrl, compressed, charges }
  const api = async (routes: FastifyInstance) => {
    markDeprecated(routes, deprecation)
    apiRoutes(routes, parts, catalogue)
  }
  app.register(api, { prefix: '/api/v1' })

  await app.ready()
  const { handle, prepare } = fastList({ ...parts, ...catalogue, deprecation }, routeEveryMethod(app))
  return { handle, prepare, close: () => app.close() }
}

function apiRoutes(api: FastifyInstance, parts: AppParts, catalogue: CatalogueParts): void {
  const { charges } = catalogue
  api.addHook('onRequest', async (request, reply) => {
    // The rate-limit headers of a response to an unauthenticated caller.
    setRateLimit(reply, allowanceOfNobody(parts.clock))
    if (isPreflight(request)) return answerPreflight(reply)
    setCorsHeaders(reply)
    await charges.admit(request, reply, await authenticate(request.raw, parts.callers))
    // Refused before the body is read, which no handler would use.
    if (request.is404) throw new Problem('not_found')
  })
  noteCalls(api, parts.requests)
  api.setErrorHandler(async (error, request, reply) => {
    let told = error
    try {
      // An error on a request whose charge is still due is charged like any other response.
      await charges.settle(request, reply)
    } catch (refusal) {
      told = refusal
    }
    answerProblem(tellProblem(parts.log, told, request), reply)
    return reply
  })
  readJsonBodies(api)
  const refuseOtherMethods = watchMethods(api)
  const checkRules = watchRules(api)
  watchRoutes(api, catalogue)
  priceRoute(api, { ...catalogue, reader: parts.database.reader, clock: parts.clock })
  brandRoutes(api, catalogue)
  specRoutes(api, catalogue)
  const room = new LongPolls(parts.onAdvance, parts.draining)
  changeRoute(api, { ...catalogue, reader: parts.database.reader, room })
  exportRoute(api, { ...catalogue, log: parts.log })
  const { database, clock, baseUrl } = parts
  const webhooks = { database, clock, webhooksUrl: `${baseUrl}/api/v1/webhooks`, ...parts.webhooks }
  webhookRoutes(api, webhooks)
  deliveryRoutes(api, webhooks)
  usageRoute(api, parts.database.reader, parts.quota)
  checkRules()
  refuseOtherMethods()
  // Registered only so that the scope's hooks run for unknown paths.
  api.setNotFoundHandler(() => {})
}
