// Serves /api/account/keys: the API keys of the signed-in user.
import type { FastifyInstance } from 'fastify'
import type { ApiKey, NewApiKey } from '../../../../web/account-api.ts'
import type { KeyCache } from '../../../access/keys/key-cache.ts'
import {
  issueFirstKey,
  issueKey,
  keyLifeMaxDays,
  listKeys,
  overlapMaxDays,
  renameKey,
  revokeKey,
  rollKey,
} from '../../../access/keys/keys.ts'
import type { Clock } from '../../../clock.ts'
import { invalid, Problem } from '../../../errors.ts'
import type { Database } from '../../../storage/database.ts'
import { textOf, who } from '../../pages/signed-in.ts'
import { fieldsOf } from '../../queries/json-body.ts'

export interface KeyParts {
  readonly database: Database
  readonly clock: Clock
  readonly callers: KeyCache
}

type KeyRoute = { Params: { id: string } }
const dayMs = 86_400_000
const hourMs = 3_600_000
const dayHours = 24

export function accountKeyRoutes(account: FastifyInstance, { database, clock, callers }: KeyParts): void {
  account.get('/keys', async (request) => {
    const data: ApiKey[] = await listKeys(database.reader, clock, who(request).accountId)
    return { data }
  })
  account.post('/keys', async (request, reply) => {
    const { name, expires_in_days, is_test } = fieldsOf(request, 'name')
    if (is_test !== undefined && typeof is_test !== 'boolean') {
      throw invalid('is_test', 'The is test field must be true or false.')
    }
    const days = findCount(expires_in_days, 'expires_in_days', 1, keyLifeMaxDays)
    const expiresAt = days === undefined ? undefined : new Date(clock.nowMs() + days * dayMs)
    const draft = { name: textOf(name), expiresAt, isTest: is_test ?? false }
    const { accountId } = who(request)
    const data: NewApiKey = await database.write((tx) => issueKey(tx, clock, accountId, draft))
    return reply.code(201).send({ data })
  })
  account.post('/keys/first', async (request, reply) => {
    const { accountId } = who(request)
    const data: NewApiKey | undefined = await database.write((tx) => issueFirstKey(tx, clock, accountId))
    return data === undefined ? reply.code(204).send() : reply.code(201).send({ data })
  })
  account.patch<KeyRoute>('/keys/:id', async (request, reply) => {
    const { name } = fieldsOf(request, 'name')
    const { accountId } = who(request)
    await database.write((tx) => renameKey(tx, clock, accountId, request.params.id, textOf(name)))
    return reply.code(204).send()
  })
  account.delete<KeyRoute>('/keys/:id', async (request, reply) => {
    const { accountId } = who(request)
    await database.write((tx) => revokeKey(tx, clock, accountId, request.params.id))
    callers.forget(accountId)
    return reply.code(204).send()
  })
  account.post<KeyRoute>('/keys/:id/roll', async (request, reply) => {
    const hours = findCount(fieldsOf(request).overlap_hours, 'overlap_hours', 0, overlapMaxDays * dayHours)
    const overlapMs = hours === undefined ? undefined : hours * hourMs
    const { accountId } = who(request)
    const made = database.write((tx) => rollKey(tx, clock, accountId, request.params.id, overlapMs))
    const data: NewApiKey = await made
    callers.forget(accountId)
    return reply.code(201).send({ data })
  })
}

function findCount(value: unknown, field: string, min: number, max: number): number | undefined {
  if (value === undefined || value === null) return undefined
  const isWhole = Number.isInteger(value)
  const count = value as number
  if (isWhole && count >= min && count <= max) return count
  const wanted = isWhole ? `between ${min} and ${max}` : 'a whole number'
  const errors = { [field]: [`The ${field.replaceAll('_', ' ')} must be ${wanted}.`] }
  throw new Problem('invalid', { errors })
}
