// In charge of 405: a path that exists answers a method it lacks with `Allow`, not with 404.
import http from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../errors.ts'

/** CONNECT never reaches a route: Node hands its socket over before. */
const everyMethod = http.METHODS.filter((method) => method !== 'CONNECT')

/** Makes the router know every method of HTTP, so that none falls through to 404. */
export function knowEveryMethod(app: FastifyInstance): void {
  const known = new Set(app.supportedMethods)
  for (const method of everyMethod) if (!known.has(method)) app.addHttpMethod(method)
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
      const refused = everyMethod.filter((method) => !methods.has(method))
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
