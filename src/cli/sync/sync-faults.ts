// Turns an error of the client into one sentence for the user.
import {
  AuthenticationError,
  ConnectionError,
  PlanError,
  QuotaExceededError,
  RateLimitError,
  ServiceUnavailableError,
  WatchdataError,
} from '../../../sdk/src/index.ts'
import { Failure } from '../../errors.ts'
import { moment } from '../catalogue-texts.ts'
import { faultText } from '../listen/fetch-faults.ts'

/** Other errors, such as those of the disk, are returned as they are. */
export function failureOf(error: unknown, api: string): unknown {
  if (error instanceof Failure) return error
  if (error instanceof SyntaxError) return new Failure(notWatchdata(api))
  return error instanceof WatchdataError ? new Failure(sentenceOf(error, api)) : error
}

/** Whether the same request may succeed a little later. */
export function isPassing(error: unknown): error is WatchdataError {
  if (error instanceof QuotaExceededError) return false
  return [ConnectionError, ServiceUnavailableError, RateLimitError].some((kind) => error instanceof kind)
}

/** Why there was no response, without a full stop. */
export function reasonOf(error: WatchdataError, api: string): string {
  if (error instanceof ConnectionError) return `No response from ${api} (${faultText(error.cause ?? error)})`
  return error instanceof RateLimitError
    ? `${api} gets too many requests (429)`
    : `${api} is not ready (${error.status})`
}

export function notWatchdata(api: string): string {
  return `${api} is not the API of a watchdata service: check --url.`
}

function sentenceOf(error: WatchdataError, api: string): string {
  if (error instanceof QuotaExceededError) {
    const resetAt = moment(error.resetAt.toISOString())
    return `The quota of this key is used up until ${resetAt}. Run the command again then: it goes on where it stopped.`
  }
  if (error instanceof AuthenticationError)
    return `${api} does not know this key: set WATCHDATA_KEY to a valid one.`
  if (error instanceof PlanError) {
    return 'The plan of this key has no change feed, which a copy needs: Pro and Platinum have it.'
  }
  const elsewhere = error.headers?.get('location')
  if (isPassing(error)) return `${reasonOf(error, api)}: run the command again later.`
  if (elsewhere) return `${api} redirects to ${elsewhere}: give that address with --url.`
  return notWatchdata(api)
}
