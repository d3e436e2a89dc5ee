// GET /api/account/requests: the last calls of whoever is signed in.
import type { FastifyInstance } from 'fastify'
import type { RequestPage } from '../../../../web/account-api.ts'
import { listRequests, type RequestLog } from '../../../access/request-log/request-log.ts'
import type { Database } from '../../../storage/database.ts'
import { who } from '../../pages/signed-in.ts'
import { writtenQuery } from '../../queries/raw-query.ts'
import { parseRequestsQuery } from '../../queries/requests-query.ts'

export interface RequestParts {
  readonly database: Database
  readonly requests: RequestLog
}

export function accountRequestRoutes(account: FastifyInstance, { database, requests }: RequestParts): void {
  account.get('/requests', async (request): Promise<RequestPage> => {
    const wanted = parseRequestsQuery(writtenQuery(request))
    // So that a call that was just made is among them.
    await requests.settle()
    // One more than is told shows whether there is another page.
    const found = await listRequests(database.reader, who(request).accountId, {
      ...wanted,
      limit: wanted.limit + 1,
    })
    const data = found.slice(0, wanted.limit)
    return { data, meta: { next: found.length > data.length ? (data.at(-1)?.id ?? null) : null } }
  })
}
