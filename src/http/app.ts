// In charge of the way of a request: what is set on every answer, which routes there are,
// and that everything under /api/v1 is authenticated before anything else is looked at.
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Instance } from '../../web/pages/instance.ts'
import type { Caller } from '../access/accounts.ts'
import { Callers } from '../access/callers.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { Problem } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import type { WatchIndex } from '../search/watch-index.ts'
import type { Reader } from '../storage/database.ts'
import { authenticate } from './authenticate.ts'
import type { CatalogueParts } from './catalogue-parts.ts'
import { CompressedBodies, compressedBodiesMaxBytes } from './compress.ts'
import { answerPreflight, isPreflight, setCorsHeaders } from './cors.ts'
import { limits } from './limits.ts'
import type { Handler, Listener } from './listener.ts'
import { knowEveryMethod, watchMethods } from './methods.ts'
import { answerError, answerProblem } from './problems.ts'
import { requestIdOf } from './request-id.ts'
import { brandRoutes } from './routes/brands.ts'
import { healthRoutes } from './routes/health.ts'
import { metricsRoute } from './routes/metrics.ts'
import { openapiRoute } from './routes/openapi.ts'
import { pageRoutes, sendNotFoundPage } from './routes/pages.ts'
import { specRoutes } from './routes/specs.ts'
import { watchRoutes } from './routes/watches.ts'
import { shortWay } from './short-way.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set on everything under /api/v1. */
    caller: Caller | undefined
  }
}

export interface AppParts {
  readonly config: Config
  readonly log: Log
  readonly clock: Clock
  readonly metrics: Metrics
  readonly reader: Reader
  readonly index: () => WatchIndex
  readonly baseUrl: string
  readonly isReady: () => boolean
  readonly instance: () => Promise<Instance>
}

export interface App {
  readonly handler: Handler
  /** To be called with an index that is about to take the place of the present one. */
  readonly prepare: (next: WatchIndex, signal: AbortSignal) => Promise<void>
  close(): Promise<void>
}

/** One label for all the others, or strangers could fill the registry. */
const measuredMethods = new Set(['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'])

/** The whole HTTP face of the service, ready to be served by the listener. */
export async function buildApp(parts: AppParts, listener: Listener): Promise<App> {
  const { config, log, metrics } = parts
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
      // Each route reads the query by its own grammar, from the address as it was written.
      querystringParser: () => ({}),
    },
    // The listener's matter; Fastify would answer in its own words.
    clientErrorHandler: () => {},
    frameworkErrors: (error, request, reply) => {
      reply.header('x-request-id', request.id)
      if (request.url.startsWith('/api/v1/')) setCorsHeaders(reply)
      answerError(log, error, request, reply)
    },
  })
  knowEveryMethod(app)
  app.removeContentTypeParser('text/plain')
  app.decorateRequest('caller', undefined)
  app.setErrorHandler((error, request, reply) => answerError(log, error, request, reply))

  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    // Clients on a kept connection are told to come back on another one, to another process.
    if (!parts.isReady()) reply.header('connection', 'close')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    done()
    const route = request.routeOptions.url ?? 'unknown'
    const method = measuredMethods.has(request.method) ? request.method : 'other'
    metrics.requests.series({ method, route, status: reply.statusCode }).observe(reply.elapsedTime / 1_000)
    if (!log.isLevelEnabled('debug')) return
    log.debug(
      {
        requestId: request.id,
        method: request.method,
        url: request.url,
        ip: request.ip,
        status: reply.statusCode,
        ms: reply.elapsedTime,
      },
      'request',
    )
  })

  const refuseOtherMethods = watchMethods(app)
  healthRoutes(app, parts.isReady)
  metricsRoute(app, metrics, config)
  pageRoutes(app, parts.instance)
  openapiRoute(app, parts.baseUrl)
  refuseOtherMethods()
  app.setNotFoundHandler((request, reply) => {
    if (request.headers.accept?.includes('text/html')) return sendNotFoundPage(reply)
    return answerProblem(new Problem('not_found'), reply)
  })
  const callers = new Callers(parts.reader, parts.clock)
  const compressed = new CompressedBodies(compressedBodiesMaxBytes)
  const catalogue = { index: parts.index, baseUrl: parts.baseUrl, compressed }
  app.register(async (api) => apiRoutes(api, callers, catalogue), { prefix: '/api/v1' })

  await app.ready()
  const { keepAliveTimeoutMs } = config
  const { isReady } = parts
  const short = { ...catalogue, callers, isReady, keepAliveTimeoutMs, metrics, log }
  const { handle, prepare } = shortWay(short, app.routing)
  return { handler: handle, prepare, close: () => app.close() }
}

function apiRoutes(api: FastifyInstance, callers: Callers, catalogue: CatalogueParts): void {
  api.addHook('onRequest', (request, reply, done) => {
    if (isPreflight(request)) return answerPreflight(reply)
    setCorsHeaders(reply)
    admit(request, callers, done)
  })
  const refuseOtherMethods = watchMethods(api)
  watchRoutes(api, catalogue)
  brandRoutes(api, catalogue)
  specRoutes(api, catalogue)
  refuseOtherMethods()
  api.setNotFoundHandler((_request, reply) => answerProblem(new Problem('not_found'), reply))
}

/** Tells who is calling; without a turn of the event loop where that is known. */
function admit(request: FastifyRequest, callers: Callers, done: (error?: Error) => void): void {
  try {
    const caller = authenticate(request.raw, callers)
    if (!(caller instanceof Promise)) {
      request.caller = caller
      done()
      return
    }
    caller.then((found) => {
      request.caller = found
      done()
    }, done)
  } catch (error) {
    done(error as Error)
  }
}
