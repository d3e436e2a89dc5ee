// In charge of 405: a path that exists answers a method it lacks with `Allow`, not with 404.
import type { FastifyInstance } from 'fastify'
import { Problem } from '../../errors.ts'
import type { Handler } from '../connection/listener.ts'

/** Of the methods that the router knows, one that no route has. */
const standIn = 'TRACE'

/**
 * Lets every method of HTTP that the router does not know go by the routes of one that it knows, so that none falls through
 * to 404. To make the router know them all took nearly a fifth of a start. Whoever asks for the method later, as the log does, is
 * told the one that was sent.
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

/** Watches the routes of a scope as they are made; the function returned then refuses all other methods. */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>()
  let isRefusing = false
  app.addHook('onRoute', ({ routePath, method }) => {
    if (isRefusing) return
    const methods = methodsOf.get(routePath) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    methodsOf.set(routePath, methods)
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
        config: { isRefusal: true },
        // Before the body is looked at: whatever it is, there is nobody to read it.
        onRequest: async () => {
          throw new Problem('method_not_allowed', { headers: { allow } })
        },
        handler: async () => {},
      })
    }
  }
}
