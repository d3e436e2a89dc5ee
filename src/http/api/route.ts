// Finds the operation that a request names. A path may have several methods, so a method that the path lacks is 405,
// not 404.
import createRouter from 'find-my-way'
import { Problem } from '../../errors.ts'
import type { Metrics } from '../../metrics.ts'
import type { RequestSeries } from '../../request-durations.ts'
import { limits } from '../connection/limits.ts'
import type { Operation } from '../operations/operations.ts'
import type { Headers } from '../responses/prepared.ts'

/** The operations of one path, or those of no path: none. */
export class Route {
  /** The label of the metrics. */
  readonly name: string
  readonly #byMethod: ReadonlyMap<string, Operation>
  /** The series that was asked for last, which is usually asked for again. */
  #last:
    | {
        readonly metrics: Metrics
        readonly method: string
        readonly status: number
        readonly series: RequestSeries
      }
    | undefined

  constructor(name: string, operations: readonly Operation[]) {
    this.name = name
    this.#byMethod = new Map(operations.map((operation) => [operation.method, operation]))
  }

  /** HEAD is GET without the body. */
  find(method: string): Operation | undefined {
    return this.#byMethod.get(method === 'HEAD' ? 'GET' : method)
  }

  /** Why the route has no operation for a method. */
  get refusal(): Problem {
    if (this.#byMethod.size === 0) return new Problem('not_found')
    const methods = [...this.#byMethod.keys()].flatMap((method) =>
      method === 'GET' ? [method, 'HEAD'] : method,
    )
    return new Problem('method_not_allowed', { headers: { allow: methods.sort().join(', ') } })
  }

  /** The metric of these requests. */
  durations(metrics: Metrics, method: string, status: number): RequestSeries {
    const last = this.#last
    // Some routes are shared by all servers of a process, each of which has metrics of its own.
    if (last?.metrics === metrics && last.method === method && last.status === status) return last.series
    const series = metrics.requests.series({ method, route: this.name, status })
    this.#last = { metrics, method, status, series }
    return series
  }
}

export interface Found {
  readonly route: Route
  readonly parameters: Readonly<Record<string, string | undefined>>
  /** The header that names the parameters which the operation does not know; undefined before they are checked. */
  readonly unknown?: Headers
}

/** The route of a path that has no operation. */
export const nowhere: Found = { route: new Route('unknown', []), parameters: {} }

type Store = { readonly route: Route }

/** Returns a function that finds the route of a path. It throws `bad_request` where the path cannot be decoded. */
export function routeFinder(prefix: string, operations: readonly Operation[]): (path: string) => Found {
  const router = createRouter({
    maxParamLength: limits.pathParameterLength,
    onBadUrl: () => {
      throw new Problem('bad_request')
    },
  })
  /** The routes without parameters: found without the router, because they are asked for most. */
  const exact = new Map<string, Found>()
  for (const [path, own] of Map.groupBy(operations, (operation) => operation.path)) {
    const name = `${prefix}${path}`
    const route = new Route(name, own)
    if (!path.includes(':')) exact.set(name, { route, parameters: {} })
    router.on('GET', name, () => {}, { route } satisfies Store)
  }
  return (path) => {
    const known = exact.get(path)
    if (known !== undefined) return known
    const found = router.find('GET', path)
    if (found === null) return nowhere
    // A path that cannot be decoded finds a handler without a store, which throws.
    if (found.store === null) found.handler(undefined as never, undefined as never, {}, null, {})
    return { route: (found.store as Store).route, parameters: found.params }
  }
}
