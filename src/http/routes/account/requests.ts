// Serves GET /api/account/requests: the latest API calls of the signed-in user.
import type { FastifyInstance } from 'fastify'
import type { RequestPage } from '../../../../web/account-api.ts'
import { listRequests, type RequestLog } from '../../../access/request-log/request-log.ts'
import type { Database } from '../../../storage/database.ts'
import { who } from '../../pages/signed-in.ts'
import { rawQueryOf } from '../../queries/raw-query.ts'
import { parseRequestsQuery } from '../../queries/requests-query.ts'

export interface RequestParts {
  readonly database: Database
  readonly requests: RequestLog
}

export function accountRequestRoutes(account: FastifyInstance, { database, requests }: RequestParts): void {
  account.get('/requests', async (request): Promise<RequestPage> => {
    const wanted = parseRequestsQuery(rawQueryOf(request))
    // Flushes the request log, so that a call just made is included.
    await requests.settle()
    // Reads one more than the limit, to see whether there is another page.
    const found = await listRequests(database.reader, who(request).accountId, {
      ...wanted,
      limit: wanted.limit + 1,
    })
    const data = found.slice(0, wanted.limit)
    return { data, meta: { next: found.length > data.length ? (data.at(-1)?.id ?? null) : null } }
  })
}
