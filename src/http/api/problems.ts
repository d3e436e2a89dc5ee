// Turns any error into a response: one entry of the error table, as JSON. The caller never sees a stack, a path or a
// query; the log gets all of it.
import type { IncomingMessage } from 'node:http'
import type { FastifyError, FastifyReply } from 'fastify'
import { Problem, type ProblemCode, problemBody, problems } from '../../errors.ts'
import type { Log } from '../../log.ts'
import { isUnreachable } from '../../storage/unreachable.ts'

const unavailableRetrySeconds = 1

/** Maps Fastify's error codes to ours. */
const frameworkProblems: Record<string, ProblemCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'body_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
}

/** The problem to respond with. Logs the error if it is a fault of the service. */
export function tellProblem(log: Log, error: unknown, request: IncomingMessage, requestId: string): Problem {
  // An aborted request is not our fault, and its error looks like a lost database connection.
  const problem = request.errored === error ? new Problem('bad_request') : toProblem(error)
  if (problem !== error && problems[problem.code].status >= 500) {
    log.error({ err: error, requestId, method: request.method, url: request.url }, 'a request failed')
  }
  return problem
}

/** After that, a request beyond a limit that protects the machine passes again. */
export const guardRetrySeconds = 1

export function tooMany(retrySeconds: number): Problem {
  return new Problem('too_many_requests', { headers: { 'retry-after': String(retrySeconds) } })
}

export function answerProblem(problem: Problem, reply: FastifyReply): void {
  reply
    .code(problems[problem.code].status)
    .headers(headersOf(problem))
    .type('application/json; charset=utf-8')
    .send(problemBody(problem.code, problem.details.errors))
}

export function headersOf({ code, details: { headers = {} } }: Problem): Readonly<Record<string, string>> {
  return code === 'unavailable' ? { 'retry-after': String(unavailableRetrySeconds), ...headers } : headers
}

function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isUnreachable(error)) return new Problem('unavailable')
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  const known = frameworkProblems[code]
  if (known !== undefined) return new Problem(known)
  return new Problem(statusCode >= 400 && statusCode < 500 ? 'bad_request' : 'internal')
}
