// Responds 405 with `Allow`, instead of 404, to a method that an existing path does not support.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Handler } from '../connection/listener.ts'

/** A method that the router knows and no route uses. */
const standIn = 'TRACE'

/**
 * Routes every HTTP method that the router does not know as the stand-in method, so that none falls through to 404.
 * Registering all methods with the router took nearly a fifth of the startup time. The request gets its own method
 * back after routing, for readers such as the log.
 */
export function routeEveryMethod({ supportedMethods, routing }: FastifyInstance): Handler {
  const known = new Set<string | undefined>(supportedMethods)
  return (request, response) => {
    const { method } = request
    if (known.has(method)) routing(request, response)
    else {
      request.method = standIn
      routing(request, response)
      request.method = method
    }
  }
}

/**
 * Records the routes of a scope as they are registered. The returned function adds routes that refuse all other
 * methods.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>()
  let isRefusing = false
  app.addHook('onRoute', ({ routePath, method }) => {
    if (isRefusing) return
    const methods = methodsOf.getOrInsertComputed(routePath, () => new Set())
    for (const one of [method].flat()) methods.add(one)
  })
  return () => {
    isRefusing = true
    for (const [url, methods] of methodsOf) {
      const allow = [...methods].sort().join(', ')
      const refused = app.supportedMethods.filter((method) => !methods.has(method))
      app.route({
        method: refused,
        url,
        exposeHeadRoute: false,
        // Refused before the body is read: no handler would use it.
        onRequest: async () => {
          throw new Problem('method_not_allowed', { headers: { allow } })
        },
        handler: async () => {},
      })
    }
  }
}
