// Serves /api/v1: the whole order of a request can be read in `serve` and `answer`. A request that has to wait for
// nothing, as most do, is served in one synchronous run.
import type { IncomingMessage } from 'node:http'
import type { KeyCache } from '../../access/keys/key-cache.ts'
import type { Caller } from '../../access/keys/keys.ts'
import { BurstGuard } from '../../access/plans/burst-guard.ts'
import { hasGrant } from '../../access/plans/plans.ts'
import type { Allowance } from '../../access/plans/quota.ts'
import type { CacheBudget } from '../../cache-budget.ts'
import type { Config } from '../../config.ts'
import { Problem, problemBody, problems } from '../../errors.ts'
import type { FairTurns } from '../../search/index/fair-turns.ts'
import type { WatchIndex } from '../../search/index/watch-index.ts'
import { apiPath } from '../connection/api-address.ts'
import { allowanceOfNobody } from '../connection/api-headers.ts'
import { clientAddresses } from '../connection/client-address.ts'
import { usualHeaders } from '../connection/headers.ts'
import type { FindAllowance, Handler } from '../connection/listener.ts'
import { headerLines, ResponseBytes } from '../connection/raw-response.ts'
import type { ApiParts, Call, Outcome, Reply, Streamed } from '../operations/call.ts'
import { type Operation, operations } from '../operations/operations.ts'
import { readJsonBody } from '../queries/json-body.ts'
import { splitUrl } from '../queries/raw-query.ts'
import { checkParameters, strictName } from '../queries/unknown-parameters.ts'
import { Answer, unchanged, validatorHeaders } from '../responses/answer.ts'
import { AnswerCache, type Cached } from '../responses/answer-cache.ts'
import { findFreshEtag } from '../responses/if-none-match.ts'
import type { Prepared } from '../responses/prepared.ts'
import { Authentication } from './authenticate.ts'
import { Charges } from './charge.ts'
import { isPreflight, preflightHeaders } from './cors.ts'
import { Exchange } from './exchange.ts'
import { awaitSequence, checkMinSequence, type MinSequenceParts } from './min-sequence.ts'
import { headersOf, tellProblem } from './problems.ts'
import { type Found, routeFinder } from './route.ts'
import { Sender, type SenderParts } from './send.ts'
import { run, type Steps, settled } from './steps.ts'

export interface ServeParts extends ApiParts, SenderParts, MinSequenceParts {
  readonly callers: KeyCache
  readonly guard: BurstGuard
  readonly turns: FairTurns
  readonly budget: CacheBudget
  readonly config: Config
  /** Serves the requests of test keys. Undefined where this is what serves them. */
  readonly sandbox: (() => Promise<Api>) | undefined
}

export interface Api {
  readonly handle: Handler
  readonly findAllowance: FindAllowance
  /** Call it with an index that is about to replace the current one. */
  readonly prepare: (next: WatchIndex, signal: AbortSignal) => Promise<void>
}

/** Requests per second of an account that may be free: far below what one core can serve. */
const freePerSecond = 100
/** Requests per second of an address that have no valid key. */
const strangersPerSecond = 50
/** Of operations without parameters of their own. */
const noParameters: readonly string[] = [strictName]
/** After that, an answer is made at once, however long it takes. */
const warmUpsMax = 3

export function serveApi(parts: ServeParts): Api {
  const findRoute = routeFinder(apiPath, operations)
  const { clock, config } = parts
  // One setting turns all of them off, for benchmarks.
  const guardOf = (perSecond: number) => new BurstGuard(config.burstLimit === 0 ? 0 : perSecond, clock)
  const authentication = new Authentication(parts.callers, {
    guard: guardOf(strangersPerSecond),
    addresses: clientAddresses(config),
    refused: parts.metrics.quotaRefusals.labels('stranger'),
  })
  const guards = { guard: parts.guard, freeGuard: guardOf(freePerSecond), turns: parts.turns }
  const charges = new Charges(parts.quota, guards, parts.metrics.quotaRefusals)
  const cache = new AnswerCache<Found>(parts.budget)
  const sender = new Sender(parts)

  /** From the first byte to the operation: who asks, may they, and what does it cost. */
  function* serve(exchange: Exchange): Steps<void> {
    try {
      const index = parts.index()
      exchange.sequence = index.head.sequence
      // A cached answer knows its route.
      exchange.cached = cache.find(index, exchange.url, exchange.encoding)
      exchange.found = exchange.cached?.origin ?? findRoute(exchange.path)
      const { request, method, route } = exchange
      if (isPreflight(request)) return sender.sendJson(exchange, 204, preflightHeaders(request), undefined)
      const known = authentication.getCaller(request)
      const caller = known instanceof Promise ? ((yield known) as Caller) : known
      if (caller.isTest && parts.sandbox !== undefined) {
        const { handle } = (yield parts.sandbox()) as Api
        return handle(request, exchange.response)
      }
      exchange.caller = caller
      const admitting = charges.admit(exchange, caller)
      if (admitting !== undefined) yield admitting
      const operation = route.find(method)
      if (mayBeFree(exchange, operation)) {
        const admittingFree = charges.admitFree(exchange, caller)
        if (admittingFree !== undefined) yield admittingFree
      }
      yield* awaitSequence(exchange, parts, charges)
      const charging = charge(exchange, operation)
      if (charging !== undefined) yield charging
      if (operation === undefined) throw route.refusal
      if (!hasGrant(caller.plan, operation.grant)) throw new Problem('plan_excludes')
      if (caller.isTest && operation.grant === 'webhooks') throw notForTests()
      checkMinSequence(exchange)
      exchange.operation = operation
      noteUnknown(exchange, operation)
      if (operation.method !== 'GET') yield* readBody(exchange)
      yield* answer(exchange, operation)
    } catch (error) {
      yield* fail(exchange, error)
    }
  }

  /** A cached answer is of a query whose parameters were checked. */
  function noteUnknown(exchange: Exchange, { query = noParameters }: Operation): void {
    const { found, rawQuery } = exchange
    if (found.unknown !== undefined || rawQuery === '') return
    const index = parts.index()
    const unknown = checkParameters(rawQuery, { names: query, hasKey: (key) => index.hasKey(key) })
    exchange.found = { ...found, unknown }
  }

  /** Before any work is done, except where the outcome may turn out to be free. */
  function charge(exchange: Exchange, operation: Operation | undefined): void | Promise<void> {
    if (operation?.cost === 'free') return charges.waive(exchange)
    exchange.isChargeDue = true
    const isSettledLater =
      operation?.cost === 'one when sent' || operation?.cost === 'by body' || mayBeFree(exchange, operation)
    if (!isSettledLater) return charges.settle(exchange)
  }

  /** From the operation to the last byte: compare the ETag, charge what is still due, encode and send. */
  function* answer(exchange: Exchange, operation: Operation): Steps<void> {
    exchange.sequence = parts.index().head.sequence
    const handled = findCached(exchange) ?? operation.handle(exchange.call, parts)
    const reply = handled instanceof Promise ? ((yield handled) as Reply) : handled
    // The client has disconnected.
    if (reply === undefined) return sender.record(exchange, 200)
    if ('status' in reply) return sendOutcome(exchange, reply)
    if ('write' in reply) return yield* stream(exchange, reply)
    exchange.requests = ('requests' in reply ? reply.requests : undefined) ?? 1
    if ('sequence' in reply) exchange.sequence = reply.sequence ?? exchange.sequence
    const prepared = reply instanceof Answer ? reply : new Answer(reply, exchange.encoding)
    const fresh = prepared.findFresh(heldOf(exchange))
    if (fresh !== undefined) {
      prepared.empty()
      offer(exchange, operation, prepared)
      const waiving = charges.waive(exchange)
      if (waiving !== undefined) yield waiving
      return sender.send(exchange, 304, unchanged, `etag: ${fresh}\r\n`)
    }
    const charging = charges.settle(exchange)
    const charged =
      charging === undefined ? prepared : yield* renewAfter(charging, exchange, operation, prepared)
    const ready = charged.isMade ? charged : yield* warmUp(exchange, operation, charged)
    sendAnswer(exchange, operation, ready)
  }

  /** Does the slow work of the answer. Where the index was replaced meanwhile, the work begins anew, but not for ever. */
  function* warmUp(exchange: Exchange, operation: Operation, cold: Answer): Steps<Answer> {
    let ready = cold
    for (let attempt = 0; ; attempt++) {
      if (ready.isEmpty) ready.refill((yield* settled(operation.handle(exchange.call, parts))) as Prepared)
      const index = parts.index()
      const { version } = index
      const warming = attempt === warmUpsMax ? undefined : ready.warmUp(exchange.call.caller.accountId)
      if (warming === undefined) return ready
      ready = yield* renewAfter(warming, exchange, operation, ready)
      // Where the caches are too small for its results, the work would only be done again.
      if (parts.index() === index && index.version === version && !ready.isEmpty) return ready
    }
  }

  /** The cached answer, unless the catalogue has changed since it was found. */
  function findCached({ cached }: Exchange): Answer | undefined {
    return cached !== undefined && cache.isCurrent(cached, parts.index()) ? cached.answer : undefined
  }

  /** The catalogue may have changed during the wait. An answer that is not of the catalogue has its own bytes. */
  function* renewAfter(
    waited: Promise<void>,
    exchange: Exchange,
    operation: Operation,
    before: Answer,
  ): Steps<Answer> {
    const index = parts.index()
    const { version } = index
    yield waited
    if (!operation.isCached) return before
    const cached = cache.find(parts.index(), exchange.url, exchange.encoding)
    if (cached !== undefined) return cached.answer
    const isUnchanged = parts.index() === index && index.version === version
    // One that was cached may be evicted by now, and one that others hold may be sent already.
    if (isUnchanged && !before.isCached && !before.isMade && !before.isEmpty) return before
    const prepared = (yield* settled(operation.handle(exchange.call, parts))) as Prepared
    return new Answer(prepared, exchange.encoding)
  }

  function sendAnswer(exchange: Exchange, operation: Operation, ready: Answer): void {
    const index = parts.index()
    ready.complete(index)
    // Renewed after every wait; other answers have their own bytes.
    if (operation.isCached) exchange.sequence = index.head.sequence
    const { sent, page } = ready
    try {
      if (page === undefined) sender.send(exchange, 200, sent)
      else sender.sendPage(exchange, sent, index, page)
    } finally {
      // In any case: the next answer is made in the same memory, and other requests may hold this one.
      offer(exchange, operation, ready)
      if (!ready.isCached) ready.drop()
    }
  }

  /** Caches an answer that is new, or has changed, if it is wanted: most are requested only once. */
  function offer({ url, found }: Exchange, { isCached }: Operation, ready: Answer): void {
    if (isCached === true && ready.hasChanged && cache.wants(url, ready)) cache.keep(url, ready, found)
  }

  function* stream(exchange: Exchange, reply: Streamed): Steps<void> {
    const { encoding } = exchange
    const etag = `W/${reply.etag}`
    const isHead = exchange.method === 'HEAD'
    if (findFreshEtag(heldOf(exchange), reply.etag, 'identity') !== undefined) {
      yield* settled(charges.waive(exchange))
      return sender.sendJson(exchange, 304, { etag, ...validatorHeaders }, undefined)
    }
    if (!isHead) {
      // Free until the operation has what it needs.
      yield* settled(charges.waive(exchange))
      reply.reserve()
      exchange.isChargeDue = true
    }
    yield* settled(charges.settle(exchange))
    const headers = { ...reply.headers, etag, ...validatorHeaders }
    const coded = encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding }
    if (isHead) sender.send(exchange, 200, ResponseBytes.of(headerLines(coded)))
    else if (sender.begin(exchange, coded)) yield reply.write(encoding)
  }

  function sendOutcome(exchange: Exchange, { status, headers = {}, body }: Outcome): void {
    sender.sendJson(exchange, status, headers, body && JSON.stringify(body))
  }

  function* readBody(exchange: Exchange): Steps<void> {
    try {
      exchange.body = yield* settled(readJsonBody(exchange.request))
    } catch (error) {
      // Where the client is still sending, what follows is not the next request.
      if (!exchange.request.complete) exchange.isLast = true
      throw error
    }
  }

  /** What is left to the caller of a request that is refused in any case. */
  async function findAllowance(request: IncomingMessage): Promise<Allowance | undefined> {
    try {
      return await parts.quota.peek(await authentication.getCaller(request))
    } catch {
      return undefined
    }
  }

  /** Sends the error as JSON. A charge that is still due is charged as for any other response. */
  function* fail(exchange: Exchange, error: unknown): Steps<void> {
    let told = error
    // Refused before anybody asked whose request it is.
    if (exchange.caller === undefined && error instanceof Problem && error.code === 'bad_request') {
      exchange.allowance = yield* settled(findAllowance(exchange.request))
    }
    try {
      yield* settled(charges.settle(exchange))
    } catch (refusal) {
      told = refusal
    }
    const { request, requestId } = exchange
    const problem = tellProblem(parts.log, told, request, requestId)
    if (problem.code === 'too_many_requests') tellRefusal(exchange, problem)
    const body = problemBody(problem.code, problem.details.errors)
    sender.sendJson(exchange, problems[problem.code].status, headersOf(problem), body)
  }

  /** Every 429 says that nothing remains, and when requests pass again. */
  function tellRefusal(exchange: Exchange, problem: Problem): void {
    const allowance = exchange.allowance ?? allowanceOfNobody(clock)
    if (allowance.remaining === 0 && exchange.caller !== undefined) return
    const resetSeconds = Math.ceil(clock.nowMs() / 1_000) + Number(headersOf(problem)['retry-after'])
    exchange.allowance = { ...allowance, remaining: 0, resetSeconds }
  }

  return {
    handle: (request, response) => {
      run(serve(new Exchange(request, response)))
    },
    findAllowance,
    prepare: (next, signal) => cache.prepare(next, (entry) => prepareNext(next, entry), signal),
  }

  /** The answer of the next index, where it takes little time. The operations of the catalogue need no more of a call. */
  async function prepareNext(
    next: WatchIndex,
    { url, origin, answer }: Cached<Found>,
  ): Promise<Answer | undefined> {
    try {
      const { route, parameters } = origin
      const call = { rawQuery: splitUrl(url).rawQuery, parameters } as Call
      const reply = route.find('GET')?.handle(call, { ...parts, index: () => next })
      if (reply === undefined || !('make' in reply) || !reply.isQuick) return undefined
      const prepared = new Answer(reply, answer.encoding)
      await prepared.warmUp('the next index')
      return prepared
    } catch {
      // The request meets the same error, and tells its caller.
      return undefined
    }
  }
}

/** Nothing happens in the sample catalogue, and events of the live one are not for test keys. */
function notForTests(): Problem {
  return new Problem('plan_excludes', { errors: { key: ['Test keys have no webhooks: use a live key.'] } })
}

function mayBeFree(exchange: Exchange, operation: Operation | undefined): boolean {
  if (operation?.cost !== 'one unless 304') return operation?.cost === 'free'
  const held = heldOf(exchange)
  // Whoever accepts any ETag has proved nothing of what he has.
  return held !== undefined && held !== '*'
}

/** The ETags that the caller has. Only what is read can be unchanged. */
function heldOf({ request, method }: Exchange): string | undefined {
  return method === 'POST' ? undefined : usualHeaders(request).ifNoneMatch
}
