// Lists every route that changes something for a signed-in user, or signs in. Read from the sources of the routes, so
// that none is missing.
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { authPath, forms } from '../../src/access/sign-in/session-forms.ts'
import { webhookOperations } from '../../src/http/operations/operations.ts'

export interface ChangingRoute {
  readonly method: string
  readonly path: string
  readonly kind: 'form' | 'json'
}

const routesDirectory = path.resolve(import.meta.dirname, '../../src/http/routes')
const routeShape = /\.(post|put|patch|delete)(?:<\w+>)?\(\s*['`]([^'`]*)['`]/g

/** File pattern, path prefix of its routes, and the kind of body they read. */
const places: readonly (readonly [file: RegExp, prefix: string, kind: ChangingRoute['kind']])[] = [
  [/^account/, '/api/account', 'json'],
  [/^operator/, '/api/operator', 'json'],
  [/^(sign-|choose-password)/, '', 'form'],
]

export function changingRoutes(): ChangingRoute[] {
  const ofFiles = globSync('**/*.ts', { cwd: routesDirectory }).flatMap((file) => {
    const routes = [...readFileSync(path.join(routesDirectory, file), 'utf8').matchAll(routeShape)]
    if (routes.length === 0) return []
    const place = places.find(([name]) => name.test(file))
    if (place === undefined)
      throw new Error(`${file} has routes that change something: add its prefix to ${import.meta.filename}`)
    const [, prefix, kind] = place
    return routes.map(([, method = '', address = '']) => ({
      method: method.toUpperCase(),
      path: prefix + address.replace('$' + '{decision}', 'grant').replaceAll(/:\w+/g, '1'),
      kind,
    }))
  })
  // The operations of the API on webhooks also exist under the account.
  const ofWebhooks = webhookOperations
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path: address }) => ({
      method,
      path: `/api/account${address.replaceAll(/:\w+/g, '1')}`,
      kind: 'json' as const,
    }))
  const ofSessions = Object.entries(forms)
    .filter(([, { method }]) => method === 'POST')
    .map(([address]) => ({ method: 'POST', path: authPath + address, kind: 'json' }) as const)
  return [...ofFiles, ...ofWebhooks, ...ofSessions]
}
