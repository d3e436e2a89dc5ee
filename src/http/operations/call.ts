// What an operation of the API sees of a request, what it needs to work, and what it may answer with. Operations know
// no framework: the same functions serve /api/v1, with a key, and /api/account, with a session.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../../access/keys/keys.ts'
import type { Quota } from '../../access/plans/quota.ts'
import type { Clock } from '../../clock.ts'
import type { Log } from '../../log.ts'
import type { AddressRules } from '../../outbound/address-rules.ts'
import type { Sealer } from '../../seal.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import type { AccountSemaphore } from '../../semaphore.ts'
import type { Vocabulary } from '../../specs/vocabulary.ts'
import type { Database } from '../../storage/database.ts'
import type { Encoding } from '../responses/encoding.ts'
import type { Headers, Prepared } from '../responses/prepared.ts'
import type { LongPolls } from './long-polls.ts'

export interface Call {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly requestId: string
  readonly caller: Caller
  /** The parameters in the path, decoded. */
  readonly parameters: Readonly<Record<string, string | undefined>>
  /** The text after the `?`, without a fragment. */
  readonly rawQuery: string
  /** The parsed JSON body; undefined without one. */
  readonly body: unknown
}

/** The dependencies of operations that may be repeated with an Idempotency-Key. */
export interface OnceParts {
  readonly database: Database
  readonly clock: Clock
  readonly sealer: Sealer
}

export interface WebhookParts extends OnceParts {
  readonly rules: AddressRules
  readonly vocabulary: Vocabulary
  /** The URL of the webhooks collection, without a trailing slash. */
  readonly webhooksUrl: string
}

/** The dependencies of all operations. */
export interface ApiParts {
  readonly index: () => WatchIndex
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly quota: Quota
  readonly baseUrl: string
  readonly polls: LongPolls
  readonly exports: AccountSemaphore
  readonly webhooks: WebhookParts
}

/** A JSON response that is never cached: a state of this moment, or the result of a change. */
export interface Outcome {
  readonly status: number
  readonly headers?: Headers
  readonly body?: object
}

/** A response of any length, written piece by piece. */
export interface Streamed {
  /** Sent as a weak ETag: two streams of one version have the same contents, but not necessarily the same bytes. */
  readonly etag: string
  readonly headers: Headers
  /** Takes what the stream needs; called before the charge, so that a Problem thrown here is free. */
  readonly reserve: () => void
  readonly write: (encoding: Encoding) => Promise<void>
}

/** Undefined where the client has disconnected and nothing is to be sent. */
export type Reply = Outcome | Prepared | Streamed | undefined
